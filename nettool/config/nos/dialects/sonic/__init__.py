"""Community SONiC: CONFIG_DB. The dialect is filed by `sonic.py`, imported here."""

from nettool.config.nos.dialects.sonic.sonic import Sonic

__all__ = ["Sonic"]
