# Four tasks take letters in; the state is saved at the end.
import asyncio
import json
import os


class State:
    def __init__(self, path):
        self.path = path
        self.done = []

    def save(self):
        with open(self.path + ".new", "w") as out:
            json.dump({"count": len(self.done), "last": max(self.done)}, out)
        os.replace(self.path + ".new", self.path)


async def take(queue, state):
    while not queue.empty():
        letter = queue.get_nowait()
        await asyncio.sleep(0)
        state.done.append(letter)


async def main():
    queue = asyncio.Queue()
    for letter in range(800):
        queue.put_nowait(letter)
    state = State("state.json")
    await asyncio.gather(*(take(queue, state) for _ in range(4)))
    state.save()
    print(len(state.done), sum(state.done))


asyncio.run(main())
