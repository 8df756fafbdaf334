"""AsterNOS's REST API, as far as it is public: Easy RoCE, over TLS whose certificate is checked.

Only requests of the published table are sent. How one logs in is not public: whoever runs the
switch gives the whole `Authorization` value, and it appears in no message.
Source: docs.asternos.com/zh/aidc/restapi-manual/easy-roce/, docs.asternos.com/aidc/fTnI-preface.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
from dataclasses import dataclass
from typing import Any

from nettool.core.errors import DeviceError, NettoolError, UsageError

PORT = 443
ANSWER_BYTES = 4 * 1024 * 1024
_PIECE = 65536
_ROCE = "/rest/v1/running/roce"
_NAME = r"[A-Za-z0-9._-]{1,64}"
_SOURCED = (
    (rf"{_ROCE}", ("GET", "PATCH")),
    (rf"{_ROCE}/roce-accept", ("GET", "PATCH")),
    (rf"{_ROCE}/roce-profiles", ("POST",)),
    (rf"{_ROCE}/roce-profiles/{_NAME}", ("GET", "POST", "PATCH", "DELETE")),
    (r"/rest/v1/rpc/show-qos-roce-(all|summary)", ("POST",)),
    (r"/rest/v1/rpc/(show|clear)-counters-qos-roce", ("POST",)),
)


class RestError(NettoolError):
    """The switch answered, and not what was asked for."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and body of an answer; `data` is None where the body is empty."""

    status: int
    data: Any


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a switch's REST API. `authorization` is a secret and stays out of `repr`.

    `name` is what its certificate is made out to where that is not the host itself, `ca` a file
    of trusted certificates. `insecure` takes any certificate: whoever sits between can read and
    change everything, so it has to be asked for by name, switch by switch.
    """

    host: str
    port: int = PORT
    authorization: str = ""
    name: str = ""
    ca: str = ""
    insecure: bool = False
    seconds: float = 30.0

    def __repr__(self) -> str:
        return f"Access({self.host}:{self.port})"


class RestTransport:
    """One switch. A connection a request; nothing is tried twice, since a write may have been."""

    def __init__(self, access: Access) -> None:
        if not access.authorization.isascii() or not access.authorization.isprintable():
            raise UsageError(f"{access.host}: its authorization holds what no header can carry")
        self._access = access
        self._context = _context(access)

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Send one published request. 404 is an answer; other failures are errors.

        Raises DeviceError where the switch cannot be had or does not let us in, RestError where
        it answers with an error or with what nobody can read.
        """
        if not is_published(method, path):
            raise ValueError(f"{method} {path} is not in the published table")
        what = f"{self._access.host}: {method} {path}"
        try:
            status, text = self._exchange(method, path, body)
        except ssl.SSLCertVerificationError as exc:
            raise DeviceError(f"{what}: its certificate is not trusted: {_plain(exc)}") from exc
        except TimeoutError as exc:
            limit = self._access.seconds
            raise DeviceError(f"{what}: no whole answer in {limit:.0f} s") from exc
        except (OSError, http.client.HTTPException) as exc:
            raise DeviceError(f"{what}: {_plain(exc)}") from exc
        return _judged(what, status, text)

    def _exchange(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        access, deadline = self._access, time.monotonic() + self._access.seconds
        line = _Https(access, self._context)
        try:
            headers = {"Accept": "application/json"}
            if access.authorization:
                headers["Authorization"] = access.authorization
            payload = None if body is None else json.dumps(body).encode()
            if payload is not None:
                headers["Content-Type"] = "application/json"
            line.request(method, path, payload, headers)
            reply = line.getresponse()
            return reply.status, _read(reply, deadline)
        finally:
            line.close()


class _Https(http.client.HTTPSConnection):
    """A connection whose certificate is checked against the name it is made out to."""

    def __init__(self, access: Access, context: ssl.SSLContext) -> None:
        super().__init__(access.host, access.port, timeout=access.seconds, context=context)
        self._made_out_to, self._tls = access.name or access.host, context

    def connect(self) -> None:
        """Open the connection."""
        http.client.HTTPConnection.connect(self)
        self.sock = self._tls.wrap_socket(self.sock, server_hostname=self._made_out_to)


def is_published(method: str, path: str) -> bool:
    """Whether the vendor's page lists this request."""
    return any(re.fullmatch(each, path) and method in methods for each, methods in _SOURCED)


def _context(access: Access) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=access.ca or None)
    except OSError as exc:
        raise DeviceError(f"{access.ca}: no certificates can be read from it: {exc}") from exc
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _read(reply: http.client.HTTPResponse, deadline: float) -> bytes:
    """The whole body; a switch that drips it is timed out as a whole."""
    pieces, size = [], 0
    while piece := reply.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > deadline:
            raise TimeoutError
        if size > ANSWER_BYTES:
            raise http.client.HTTPException(f"an answer of more than {ANSWER_BYTES} bytes")
    return b"".join(pieces)


def _judged(what: str, status: int, text: bytes) -> Answer:
    if status in {401, 403}:
        raise DeviceError(f"{what}: {status}, the switch does not accept the authorization")
    if status >= 400 and status != 404:
        raise RestError(f"{what}: {status}, {_shown(text)}")
    try:
        return Answer(status, json.loads(text) if text.strip() else None)
    except ValueError as exc:
        if status == 404:
            return Answer(status, None)
        raise RestError(f"{what}: the answer is no JSON: {_shown(text)}") from exc


def _shown(text: bytes) -> str:
    words = " ".join("".join(c if c.isprintable() else " " for c in text.decode(errors="replace"))
                     .split())  # fmt: skip
    return f"{words[:120]!r}" if words else "no message"


def _plain(exc: Exception) -> str:
    return str(getattr(exc, "verify_message", "") or getattr(exc, "strerror", "") or exc) or (
        type(exc).__name__
    )
