"""A wiretap: a proxy before PostgreSQL that counts round trips, and can cut the line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

READY = ord("Z")  # the server sends it once for each thing that it was asked


class Wiretap:
    """Counts what the server answered on all connections since `reset`."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._lines: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.round_trips = 0

    def reset(self) -> None:
        """Count from nothing."""
        self.round_trips = 0

    def cut(self) -> None:
        """Cut all lines, as a network does."""
        for line in list(self._lines):
            line.transport.abort()

    def close(self) -> None:
        """Cut all lines and take no new ones."""
        self._is_closed = True
        self.cut()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        if self._is_closed:
            writer.transport.abort()
            return
        server_reader, server_writer = await asyncio.open_connection(*self._server)
        self._lines |= {writer, server_writer}
        pumps = {
            asyncio.create_task(_pump(reader, server_writer)),
            asyncio.create_task(self._listen(server_reader, writer)),
        }
        self._pumps |= pumps
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for line in (writer, server_writer):
            line.transport.abort()
        await asyncio.wait(pumps)
        self._pumps -= pumps
        self._lines -= {writer, server_writer}

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readexactly(1)
                if head == b"N":  # no TLS here
                    writer.write(head)
                    continue
                size = await reader.readexactly(4)
                writer.write(head + size + await reader.readexactly(int.from_bytes(size) - 4))
                self.round_trips += head[0] == READY

    async def settle(self) -> None:
        """Wait for all pumps to end."""
        while self._pumps:
            await asyncio.wait(self._pumps)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)


@asynccontextmanager
async def tapped(dsn: str) -> AsyncIterator[tuple[str, Wiretap]]:
    """A DSN whose line is tapped, and the tap."""
    parts = urlsplit(dsn)
    tap = Wiretap(parts.hostname or "127.0.0.1", parts.port or 5432)
    server = await asyncio.start_server(tap.take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    account = parts.netloc.rpartition("@")[0]
    try:
        yield urlunsplit(parts._replace(netloc=f"{account}@127.0.0.1:{port}")), tap
    finally:
        server.close()
        tap.cut()
        await tap.settle()
        await server.wait_closed()
