"""A mock switch with a REST API, behind a certificate of an authority made for the test."""

import pytest

from nettool.fleet.mock.certificates import Authority
from nettool.fleet.mock.rest import MockRest
from nettool.fleet.transport.rest import Access, RestTransport

SECRET = "Basic CANARY-rest-4711"


class RestSite:
    """An authority, a server, and the way to it."""

    def __init__(self, folder, **tls):
        self.authority = Authority(folder)
        host = tls.pop("host", "127.0.0.1")
        self.server = MockRest(self.authority.server(host, **tls), authorization=SECRET)

    def reach(self, **fields):
        given = {
            "host": "127.0.0.1", "port": self.server.port, "authorization": SECRET,
            "ca": str(self.authority.ca), "seconds": 5.0, **fields,
        }  # fmt: skip
        return RestTransport(Access(**given))


@pytest.fixture
def rest(tmp_path):
    site = RestSite(tmp_path / "tls")
    with site.server:
        yield site


@pytest.fixture
def start_rest(tmp_path):
    """Start a server with another certificate."""
    sites = []

    def begin(**tls):
        sites.append(RestSite(tmp_path / f"tls{len(sites)}", **tls))
        sites[-1].server.__enter__()
        return sites[-1]

    yield begin
    for site in sites:
        site.server.__exit__()
