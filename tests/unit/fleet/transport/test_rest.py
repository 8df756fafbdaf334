"""REST over TLS: published requests only, certificates checked, no secret in any message."""

import pytest

from nettool.core.errors import DeviceError, UsageError
from nettool.fleet.mock.certificates import Authority
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.rest import MockRest
from nettool.fleet.transport.rest import Access, RestError, RestTransport, is_published
from tests.unit.fleet.conftest import SECRET

PROFILES = "/rest/v1/running/roce/roce-profiles"
BODY = {"name": "p", "mode": "lossless"}


def test_written_and_read(rest):
    here = rest.reach()
    assert here.ask("GET", f"{PROFILES}/p").status == 404
    assert here.ask("POST", PROFILES, BODY).status == 201
    assert here.ask("GET", f"{PROFILES}/p").data["roce-profiles"][0]["mode"] == "lossless"
    assert here.ask("DELETE", f"{PROFILES}/p").data is None


PUBLISHED = {
    ("GET", "/rest/v1/running/roce"): True,
    ("PATCH", "/rest/v1/running/roce/roce-accept"): True,
    ("POST", PROFILES): True,
    ("DELETE", f"{PROFILES}/x"): True,
    ("POST", "/rest/v1/rpc/show-qos-roce-all"): True,
    ("PUT", f"{PROFILES}/x"): False,
    ("DELETE", PROFILES): False,
    ("POST", "/rest/v1/rpc/qos-roce-bind-interface"): False,  # its body is not public
    ("GET", f"{PROFILES}/x?depth=2"): False,
    ("GET", f"{PROFILES}/../../system"): False,
    ("POST", "/rest/v1/rpc/reboot"): False,
}


@pytest.mark.parametrize(("request_", "allowed"), PUBLISHED.items(), ids=map(" ".join, PUBLISHED))
def test_only_published_requests_are_sent(rest, request_, allowed):
    assert is_published(*request_) is allowed
    if not allowed:
        with pytest.raises(ValueError, match="not in the published table"):
            rest.reach().ask(*request_)
        assert rest.server.asked == []


TRUST = {
    "another authority": {"ca": ""},
    "another name": {"name": "leaf99.example"},
}


@pytest.mark.parametrize("fields", TRUST.values(), ids=TRUST)
def test_a_certificate_that_is_not_trusted_ends_it(rest, fields):
    with pytest.raises(DeviceError, match="its certificate is not trusted"):
        rest.reach(**fields).ask("GET", PROFILES + "/p")
    assert rest.server.asked == []


def test_an_expired_certificate_ends_it(start_rest):
    site = start_rest(expired=True)
    with pytest.raises(DeviceError, match=r"not trusted: certificate has expired"):
        site.reach().ask("GET", PROFILES + "/p")


def test_a_certificate_made_out_to_a_name(start_rest):
    site = start_rest(host="leaf01.example")
    with pytest.raises(DeviceError, match="not trusted"):
        site.reach().ask("GET", PROFILES + "/p")
    assert site.reach(name="leaf01.example").ask("GET", PROFILES + "/p").status == 404


def test_insecure_has_to_be_asked_for(rest):
    assert rest.reach(ca="", insecure=True).ask("GET", PROFILES + "/p").status == 404


FAULTS = {
    "500": (
        Fault("GET", "fail", status=500, stderr="boom"),
        RestError,
        '500, \'{"error": "boom"}\'',
    ),
    "garbage": (Fault("GET", "garbage"), RestError, "the answer is no JSON: '<html>"),
    "empty object": (Fault("GET", "garbage", stdout="{"), RestError, "the answer is no JSON"),
    "hang": (Fault("GET", "hang"), DeviceError, "no whole answer in 1 s"),
    "drop": (Fault("GET", "drop"), DeviceError, "closed connection without response"),
    "auth": (Fault("GET", "auth"), DeviceError, "401, the switch does not accept the authoriz"),
}


@pytest.mark.parametrize(("fault", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_what_goes_wrong_is_named_without_a_secret(rest, fault, kind, message):
    rest.server.inject(fault)
    with pytest.raises(kind) as caught:
        rest.reach(seconds=1.0).ask("GET", PROFILES + "/p")
    assert f"127.0.0.1: GET {PROFILES}/p: " in str(caught.value)
    assert message in str(caught.value)
    assert "CANARY" not in str(caught.value)


def test_a_wrong_authorization_is_not_repeated_back(rest):
    with pytest.raises(DeviceError, match="401") as caught:
        rest.reach(authorization="Basic CANARY-wrong").ask("GET", PROFILES + "/p")
    assert "CANARY" not in str(caught.value)
    with pytest.raises(UsageError) as refused:
        rest.reach(authorization="CANARY\r\nX: y")
    assert "CANARY" not in str(refused.value)
    assert "CANARY" not in repr(Access("192.0.2.1", authorization=SECRET))


def test_nobody_listens():
    with pytest.raises(DeviceError, match="Connection refused"):
        RestTransport(Access("127.0.0.1", 1)).ask("GET", PROFILES + "/p")


def test_no_such_trust_file():
    with pytest.raises(DeviceError, match=r"/nowhere/ca\.pem: no certificates can be read"):
        RestTransport(Access("127.0.0.1", 1, ca="/nowhere/ca.pem"))


def test_the_mock_listens_on_loopback_only(tmp_path):
    with pytest.raises(UsageError, match="loopback only"):
        MockRest(Authority(tmp_path).server("127.0.0.1"), "192.0.2.1")


def test_no_key_stays_on_disk(tmp_path):
    Authority(tmp_path).server("127.0.0.1")
    assert [path.name for path in tmp_path.iterdir()] == ["ca.pem"]
