"""The base of every value that comes from a file: frozen, and nothing unknown gets in."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value at the edge (intent, catalog, JSON in); unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
