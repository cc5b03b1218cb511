# Files 1,200 pictures away, by month and camera.
from pathlib import Path

made = set()


def store(number):
    folder = Path("albums") / f"2024-{number % 12 + 1:02}" / f"camera{number // 12 % 20}"
    if folder not in made:
        folder.mkdir(parents=True, exist_ok=True)
        made.add(folder)
    (folder / f"{number}.txt").write_text(f"picture {number}\n")


for number in range(1200):
    store(number)
print(sum(1 for _ in Path("albums").glob("*/*/*.txt")))
