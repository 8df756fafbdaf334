"""A mock switch's REST API: Easy RoCE as the vendor's page shows it, over TLS on loopback.

Paths, methods and bodies: docs.asternos.com/zh/aidc/restapi-manual/easy-roce/. Not public and so
assumed: 401 without the right authorization, 404 for a profile that is not there, 409 for one
that is, the form of errors, and that a profile's read-only lists come with it.
"""

from __future__ import annotations

import copy
import ipaddress
import json
import re
import ssl
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nettool.core.errors import UsageError
from nettool.fleet.mock.fault import Fault, FaultScript

ROCE = "/rest/v1/running/roce"
_PROFILE = re.compile(rf"{ROCE}/roce-profiles/([\w.-]+)")
_RPC = re.compile(r"/rest/v1/rpc/(show-qos-roce-(all|summary)|(show|clear)-counters-qos-roce)")
_MADE = ("class-maps", "policy-maps", "wred-profiles", "buffer-profiles", "diffserv-maps")
_MODES, _LEVELS = {"lossless"}, {"low", "medium", "high"}
_WRITABLE = ("name", "mode", "cable-length", "incast-level", "traffic-model")
NOISE = b"<html>\x00\xff~~ 502 Bad Gateway"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the switch got it."""

    method: str
    path: str
    body: Any


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that hangs up, or does not trust us, is no news."""


class MockRest:
    """One switch's REST server. Starts with `with`; faults match `METHOD path`.

    Faults that it plays: fail (`status` as HTTP status, nothing done), status (done, and `status`
    told), reply (200 with `stdout`, nothing done), garbage, hang, drop, drop_after, auth, delay.
    """

    def __init__(
        self, tls: ssl.SSLContext, host: str = "127.0.0.1", *, authorization: str = ""
    ) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise UsageError(f"the mock listens on loopback only, not on {host}")
        self.profiles: dict[str, dict[str, Any]] = {}
        self.accept: list[str] = []
        self.asked: list[Asked] = []
        self.faults = FaultScript()
        self.closing = threading.Event()
        self._authorization = authorization
        self._server = _Server((host, 0), _Handler)
        self._server.mock = self  # type: ignore[attr-defined]  # how a handler finds its switch
        self._server.socket = tls.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.host, self.port = host, self._server.server_address[1]

    def __enter__(self) -> MockRest:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def writes(self) -> list[Asked]:
        """Every request that wanted to change something."""
        return [each for each in self.asked if each.method != "GET" and "/rpc/" not in each.path]

    def inject(self, fault: Fault) -> None:
        """Set a fault."""
        self.faults.add(fault)

    def lets_in(self, authorization: str | None) -> bool:
        """Whether this authorization is the right one."""
        return not self._authorization or authorization == self._authorization

    def answer(self, asked: Asked) -> tuple[int, Any]:
        """Status and body, with the change that the request makes."""
        method, path = asked.method, asked.path
        if match := _PROFILE.fullmatch(path):
            return self._profile(method, match[1], asked.body)
        if path == f"{ROCE}/roce-profiles" and method == "POST":
            return self._create(asked.body)
        if path == f"{ROCE}/roce-accept" and method in {"GET", "PATCH"}:
            if method == "PATCH":
                self.accept = list(asked.body["interfaces"])
            return 200, {"roce-accept": {"interfaces": self.accept}}
        if path == ROCE and method == "GET":
            shown = [self._shown(name) for name in sorted(self.profiles)]
            return 200, {"roce": {"roce-profiles": shown}}
        if _RPC.fullmatch(path) and method == "POST":
            return 200, {"output": sorted(self.profiles)}
        return 405, {"error": "method not allowed"}

    def _profile(self, method: str, name: str, body: Any) -> tuple[int, Any]:
        if method == "POST":
            return self._create({**(body or {}), "name": name})
        if name not in self.profiles:
            return 404, {"error": f"{name} not found"}
        if method == "GET":
            return 200, {"roce-profiles": [self._shown(name)]}
        if method == "DELETE":
            del self.profiles[name]
            return 204, None
        return self._changed(name, body)

    def _create(self, body: Any) -> tuple[int, Any]:
        if not isinstance(body, dict) or not {"name", "mode"} <= set(body):
            return 400, {"error": "name and mode are needed"}
        if body["name"] in self.profiles:
            return 409, {"error": f"{body['name']} exists"}
        return self._changed(str(body["name"]), body, created=True)

    def _changed(self, name: str, body: Any, *, created: bool = False) -> tuple[int, Any]:
        new = {**self.profiles.get(name, {}), **body}
        unknown = sorted(set(body) - set(_WRITABLE))
        bad = new.get("mode") not in _MODES or new.get("incast-level", "low") not in _LEVELS
        if unknown or bad:
            return 400, {"error": f"{unknown or 'mode or incast-level'} is not valid"}
        self.profiles[name] = new
        return (201 if created else 200), None

    def _shown(self, name: str) -> dict[str, Any]:
        """A profile as it is read: with the lists of what the switch made of it."""
        made = {kind: [{"name": f"{name}_200g"}] for kind in _MADE}
        return {**copy.deepcopy(self.profiles[name]), **made}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815 - http.server's own names

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""

    def _serve(self) -> None:
        mock: MockRest = self.server.mock  # type: ignore[attr-defined]  # set by MockRest
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        asked = Asked(self.command, self.path, json.loads(text) if text else None)
        mock.asked.append(asked)
        fault = mock.faults.strike(f"{asked.method} {asked.path}")
        locked = fault is not None and fault.do == "auth"
        if locked or not mock.lets_in(self.headers.get("Authorization")):
            self._send(401, {"error": "unauthorized"})
        elif fault is None:
            self._send(*mock.answer(asked))
        else:
            self._struck(mock, asked, fault)

    def _struck(self, mock: MockRest, asked: Asked, fault: Fault) -> None:
        match fault.do:
            case "fail":
                self._send(fault.status, {"error": fault.stderr or "internal error"})
            case "status":
                mock.answer(asked)
                self._send(fault.status, {"error": fault.stderr or "internal error"})
            case "reply":
                self._raw(200, fault.stdout.encode())
            case "garbage":
                self._raw(200, fault.stdout.encode() or NOISE)
            case "hang":
                mock.closing.wait(fault.seconds or None)
            case "delay":
                mock.closing.wait(fault.seconds)
                self._send(*mock.answer(asked))
            case "drop" | "drop_after":
                if fault.do == "drop_after":
                    mock.answer(asked)
                self.close_connection = True
            case _:
                raise UsageError(f"the REST mock cannot play {fault.do!r}")

    def _send(self, status: int, body: Any) -> None:
        self._raw(status, b"" if body is None else json.dumps(body).encode())

    def _raw(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
