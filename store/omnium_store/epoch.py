"""The epoch: a random token that a crash, a promotion or a restore of the database empties.

Transaction ids that were seen finished may be given out again after a crash. Whoever remembers a position
or a state compares the epoch on each new connection, and forgets what it holds when it is another one.
"""

from __future__ import annotations

import secrets

from omnium_store.database import Connection
from omnium_store.statements import statement


async def epoch(connection: Connection) -> str:
    """The database's epoch; made here if nobody has since the table was emptied."""
    while True:
        token: str | None = await connection.fetchval(statement("epoch_read"))
        if token is not None:
            return token
        await connection.execute(statement("epoch_make"), secrets.token_hex(16))
