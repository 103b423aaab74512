"""Draws recordings of desktops: windows of code, sheets, photos, text and pages that change from step to step.

    python benchmarks/drawn_desktops.py OUT FIRST LAST

writes recordings FIRST to LAST - 1, of 150 RGB PNGs of 1710×1112 each, under OUT. The same number is always the same
recording. Needs numpy, pillow and the DejaVu fonts (fonts-dejavu-core).
"""

import json
import random
import shutil
import sys
import time
import uuid
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1710, 1112
STEPS = 150
FONTS = Path("/usr/share/fonts/truetype/dejavu")
FILES = {"sans": "DejaVuSans.ttf", "mono": "DejaVuSansMono.ttf", "bold": "DejaVuSans-Bold.ttf"}
KINDS = ("term", "code", "sheet", "photos", "doc", "web")
DARK = ("term", "code")
_TEXT = (
    "open the file report budget quarter sales meeting invoice total client project folder settings account update "
    "review table chart column row export import share link calendar reminder delete rename copy paste document draft "
    "version approve email attachment server build test deploy config value error warning success status pending "
    "complete notes chapter figure summary"
)
WORDS = _TEXT.split()

Colour = tuple[int, int, int]


class Window(NamedTuple):
    """A window's place on the desktop and what it shows."""

    x: int
    y: int
    width: int
    height: int
    kind: str

    @property
    def top(self) -> int:
        """Where what it shows begins, below its title."""
        return self.y + 44

    @property
    def ink(self) -> Colour:
        """The colour of its text."""
        return (210, 214, 220) if self.kind in DARK else (32, 33, 36)

    @property
    def paper(self) -> Colour:
        """The colour behind its text."""
        return (30, 32, 38) if self.kind in DARK else (255, 255, 255)


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return a font, plain where the wanted one is not installed."""
    path = FONTS / FILES[name]
    return ImageFont.truetype(str(path if path.exists() else FONTS / FILES["sans"]), size)


def words(chance: random.Random, count: int) -> str:
    """Return so many words."""
    return " ".join(chance.choice(WORDS) for _ in range(count))


def photo(chance: random.Random, width: int, height: int) -> Image.Image:
    """Return a picture with large shapes, small ones and noise, as photographs have."""
    noise = np.random.default_rng(chance.randrange(1 << 30))

    def blots(size: int) -> Image.Image:
        cells = noise.integers(0, 255, (max(3, height // size), max(3, width // size), 3), dtype=np.uint8)
        return Image.fromarray(cells).resize((width, height), Image.Resampling.BICUBIC)

    mixed = Image.blend(blots(60), blots(6), 0.18)
    grain = noise.normal(0, 2.5, (height, width, 1)).astype(np.int16)
    return Image.fromarray(np.clip(np.asarray(mixed).astype(np.int16) + grain, 0, 255).astype(np.uint8))


def wallpaper(above: Sequence[int], below: Sequence[int]) -> Image.Image:
    """Return a picture whose colour goes over from one to another."""
    down = np.linspace(0, 1, HEIGHT)[:, None, None]
    across = np.linspace(0, 0.3, WIDTH)[None, :, None]
    shades = (np.array(above) * (1 - down) + np.array(below) * down) + across * 30
    return Image.fromarray(np.clip(shades + np.zeros((HEIGHT, WIDTH, 1)), 0, 255).astype(np.uint8))


def desktop(chance: random.Random) -> Image.Image:
    """Return a desktop without windows: a background, a bar above, a dock below."""
    image = wallpaper([chance.randrange(20, 90) for _ in range(3)], [chance.randrange(90, 200) for _ in range(3)])
    if chance.random() < 0.6 and chance.random() < 0.25:
        image = Image.blend(image, photo(chance, WIDTH, HEIGHT), 0.25)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 26), fill=(245, 245, 247))
    draw.text((12, 5), "Finder  File  Edit  View  Go  Window  Help", font=font("sans", 13), fill=(20, 20, 20))
    draw.rounded_rectangle((400, HEIGHT - 70, 1310, HEIGHT - 8), 14, fill=(215, 218, 224))
    for number in range(15):
        colour = tuple(chance.randrange(40, 240) for _ in range(3))
        left = 414 + number * 60
        draw.rounded_rectangle((left, HEIGHT - 62, left + 46, HEIGHT - 16), 10, fill=colour)
    return image


# ---- Windows


def draw_window(image: Image.Image, chance: random.Random, at: Window) -> None:
    """Draw a window with new content."""
    draw = ImageDraw.Draw(image)
    right, bottom = at.x + at.width, at.y + at.height
    draw.rounded_rectangle((at.x - 1, at.y - 1, right + 1, bottom + 1), 8, fill=(120, 120, 124))
    draw.rounded_rectangle((at.x, at.y, right, bottom), 8, fill=at.paper)
    title = (50, 52, 60) if at.kind in DARK else (232, 234, 237)
    draw.rectangle((at.x, at.y, right, at.y + 34), fill=title)
    for number, colour in enumerate([(255, 95, 86), (255, 189, 46), (39, 201, 63)]):
        left = at.x + 10 + number * 20
        draw.ellipse((left, at.y + 11, left + 12, at.y + 23), fill=colour)
    draw.text((at.x + 90, at.y + 9), words(chance, 4).title(), font=font("sans", 13), fill=at.ink)
    _CONTENTS[at.kind](image, chance, at)


def _code(image: Image.Image, chance: random.Random, at: Window) -> None:
    draw = ImageDraw.Draw(image)
    colours = [(210, 214, 220), (152, 195, 121), (97, 175, 239), (229, 192, 123)]
    for row in range((at.height - 50) // 18):
        y = at.top + row * 18
        indent = chance.randrange(0, 4) * 24
        draw.text((at.x + 8, y), f"{row + 1:3d}", font=font("mono", 13), fill=(110, 116, 128))
        text = words(chance, chance.randrange(2, 9))
        draw.text((at.x + 48 + indent, y), text, font=font("mono", 13), fill=chance.choice(colours))


def _sheet(image: Image.Image, chance: random.Random, at: Window) -> None:
    draw = ImageDraw.Draw(image)
    wide, rule = 96, (218, 220, 224)
    for column in range(at.width // wide + 1):
        x = at.x + column * wide
        draw.line((x, at.top, x, at.y + at.height - 4), fill=rule)
    for row in range((at.height - 50) // 22):
        y = at.top + row * 22
        draw.line((at.x, y, at.x + at.width, y), fill=rule)
        for column in range(at.width // wide):
            if chance.random() < 0.7:
                values = [str(chance.randrange(10, 99999)), chance.choice(WORDS), f"{chance.random() * 1000:.2f}"]
                place = (at.x + column * wide + 4, y + 4)
                draw.text(place, chance.choice(values), font=font("sans", 12), fill=at.ink)


def _photos(image: Image.Image, chance: random.Random, at: Window) -> None:
    draw = ImageDraw.Draw(image)
    for row in range(max(1, (at.height - 60) // 200)):
        for column in range(max(1, at.width // 260)):
            x, y = at.x + column * 260, at.top + row * 200
            if x + 250 <= at.x + at.width and y + 170 <= at.y + at.height:
                image.paste(photo(chance, 240, 160), (x + 10, y + 6))
                name = f"IMG_{chance.randrange(1000, 9999)}.jpg"
                draw.text((x + 12, y + 170), name, font=font("sans", 12), fill=at.ink)


def _text(image: Image.Image, chance: random.Random, at: Window) -> None:
    draw = ImageDraw.Draw(image)
    draw.text((at.x + 40, at.top + 10), words(chance, 5).title(), font=font("bold", 24), fill=at.ink)
    for row in range((at.height - 110) // 21):
        if chance.random() >= 0.12:
            text = words(chance, max(3, at.width // 75))
            draw.text((at.x + 40, at.top + 56 + row * 21), text, font=font("sans", 14), fill=at.ink)


def _page(image: Image.Image, chance: random.Random, at: Window) -> None:
    draw = ImageDraw.Draw(image)
    bar = (at.x + 90, at.top, at.x + at.width - 60, at.top + 26)
    draw.rounded_rectangle(bar, 13, fill=(241, 243, 244))
    address = "https://example.test/" + "-".join(words(chance, 3).split())
    draw.text((at.x + 104, at.top + 6), address, font=font("sans", 12), fill=(60, 64, 67))
    tall = min(200, at.height // 3)
    image.paste(photo(chance, max(60, at.width - 60), tall), (at.x + 30, at.top + 40))
    below = at.top + 60 + tall
    for row in range((at.y + at.height - 10 - below) // 24):
        is_link = row % 5 == 0
        text = words(chance, max(3, at.width // 85))
        look = {"font": font("sans", 17 if is_link else 15), "fill": (26, 13, 171) if is_link else at.ink}
        draw.text((at.x + 30, below + row * 24), text, **look)


_CONTENTS = {"term": _code, "code": _code, "sheet": _sheet, "photos": _photos, "doc": _text, "web": _page}


# ---- Recordings


class Screen:
    """A desktop that somebody works on."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._begin()

    def _begin(self) -> None:
        self.image = desktop(self._chance)
        self._open()
        self._open()

    def _open(self) -> None:
        chance = self._chance
        width, height = chance.randrange(700, 1300), chance.randrange(450, 900)
        x, y = chance.randrange(20, WIDTH - width - 10), chance.randrange(34, max(36, HEIGHT - height - 80))
        self._front = Window(x, y, width, min(height, HEIGHT - y - 80), chance.choice(KINDS))
        draw_window(self.image, chance, self._front)

    def change(self, which: float, click: dict[str, Any]) -> dict[str, Any]:
        """Type, open a menu, scroll, open a window or begin anew, by a number from 0 to 1; return the action."""
        if which < 0.62:
            return {"type": "type", "parameters": {"text": self._type()}}
        if which < 0.76:
            self._open_menu()
        elif which < 0.86:
            at = self._front
            draw_window(self.image, self._chance, at)
            place = {"x": at.x + 9, "y": at.y + 9}
            return {"type": "scroll", "parameters": {**place, "direction": "down", "amount": 300}}
        elif which < 0.97:
            self._open()
            return {"type": "hotkey", "parameters": {"keys": ["ctrl", "n"]}}
        else:
            self._begin()
        return click

    def _type(self) -> str:
        at, draw = self._front, ImageDraw.Draw(self.image)
        y = at.y + 50 + self._chance.randrange(max(1, (at.height - 80) // 22)) * 22
        text = words(self._chance, self._chance.randrange(3, 8))
        draw.rectangle((at.x + 44, y, at.x + at.width - 20, y + 20), fill=at.paper)
        ink = at.ink if at.kind in DARK else (20, 20, 20)
        draw.text((at.x + 46, y + 2), text, font=font("sans", 14), fill=ink)
        return text

    def _open_menu(self) -> None:
        draw = ImageDraw.Draw(self.image)
        x, y = self._chance.randrange(40, WIDTH - 240), self._chance.randrange(40, HEIGHT - 260)
        draw.rectangle((x, y, x + 200, y + 200), fill=(250, 250, 250), outline=(160, 160, 160))
        for row in range(8):
            place = (x + 12, y + 8 + row * 24)
            draw.text(place, words(self._chance, 2), font=font("sans", 13), fill=(30, 30, 30))

    def show_time(self, step: int) -> None:
        """Draw the clock, which shows in every third step."""
        draw = ImageDraw.Draw(self.image)
        draw.rectangle((WIDTH - 120, 0, WIDTH, 26), fill=(245, 245, 247))
        if step % 3 == 0:
            clock = f"{9 + step // 60:02d}:{step % 60:02d}"
            draw.text((WIDTH - 110, 5), clock, font=font("sans", 13), fill=(20, 20, 20))


def drawn(number: int, out: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a recording; return its record and its label."""
    chance = random.Random(1000 + number)
    folder = out / "media" / "images" / f"steps_{number:02d}"
    folder.mkdir(parents=True, exist_ok=True)
    screen = Screen(chance)
    steps: list[dict[str, Any]] = []
    for step in range(STEPS):
        path, which = folder / f"step_{step + 1}.png", chance.random()
        place = {"x": chance.randrange(WIDTH), "y": chance.randrange(HEIGHT)}
        action: dict[str, Any] = {"type": "click", "parameters": {**place, "button": "left", "num_clicks": 1}}
        if step and which < 0.20:  # nothing happened
            shutil.copyfile(folder / f"step_{step}.png", path)
        else:
            action = screen.change(which, action)
            screen.show_time(step)
            screen.image.save(path, compress_level=4)
        steps.append(
            {
                "step_id": step,
                "screenshot": f"https://example.test/screenshot_{number}_{step}.png",
                "action": action,
                "thought": None,
                "action_description": None,
                "timestamp_us": step * 2_500_000,
            }
        )
    return _records(number, chance, steps)


def _records(number: int, chance: random.Random, steps: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    task_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    task = {
        "instruction": "Create a folder and " + words(chance, 30),
        "category": "Tool Usage",
        "subcategory": "GUI Agent",
        "task_type": "DEVELOPMENT",
        "applications": ["Files"],
    }
    record = {
        "version": "1.0",
        "trajectory_id": task_id,
        "source": {"name": "human", "original_file": "x.json"},
        "task": task,
        "environment": {"os": "macos", "screen_resolution": [WIDTH, HEIGHT]},
        "steps": steps,
        "milestones": [],
    }
    return record, {"trajectory_id": task_id, "label": "positive", "original_id": f"steps_{number:02d}"}


def main() -> None:
    """Draw what the command line asks for."""
    out, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    with (out / f"t_{first}.jsonl").open("w") as records, (out / f"l_{first}.jsonl").open("w") as labels:
        for number in range(first, last):
            started = time.monotonic()
            record, label = drawn(number, out)
            records.write(json.dumps(record) + "\n")
            labels.write(json.dumps(label) + "\n")
            print(number, round(time.monotonic() - started, 1), flush=True)


if __name__ == "__main__":
    main()
