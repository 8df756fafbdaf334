"""Cables that end at no device that was given: refused, since nothing would be checked."""

import json

import pytest

from nettool.config.validate.declared import links_from
from nettool.config.validate.engine import lint
from nettool.core.errors import UsageError


def test_cables_between_other_devices_are_refused(tmp_path):
    row = {"hostname": "leaf01"}
    file = tmp_path / "g1.json"
    file.write_text(json.dumps({"DEVICE_METADATA": {"localhost": row}, "PORT": {}}))
    links = links_from([{"a": "nope1:Ethernet0", "b": "nope2:Ethernet0"}], "lk.yaml")
    with pytest.raises(UsageError, match=r"lk\.yaml: no cable ends at a device.*nope1.*leaf01"):
        lint([file], links=links)
