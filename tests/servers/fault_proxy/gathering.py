"""Holds requests back until so many are under way, and counts how many there were each time.

Requests wait for each other: all that wait go on once there are `size` of them, or when none has
come for `quiet_ms`, for then the client does not send any more until it is answered. So a count
is what the client keeps under way, however fast the server behind answers.
"""

import asyncio


class Gathering:
    def __init__(self, size, quiet_ms=1000):
        if size < 1:
            raise ValueError("at least one request is gathered")
        self.size, self.quiet_seconds = size, quiet_ms / 1000
        self.waiting = []
        self.timer = None
        self.rounds = []   # so many went on together

    async def wait(self):
        turn = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        self.stop_timer()
        if len(self.waiting) >= self.size:
            self.release()
        else:
            self.timer = asyncio.get_running_loop().call_later(self.quiet_seconds, self.release)
        await turn

    def release(self):
        self.stop_timer()
        if self.waiting:
            self.rounds.append(len(self.waiting))
        for turn in self.waiting:
            # Of a connection that has ended nobody waits any more.
            if not turn.done():
                turn.set_result(None)
        self.waiting = []

    def stop_timer(self):
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None
