"""What does it cost to prepare a screenshot, beside the public harness's way (rivals/rivals.py), and is it as good?

Every file is prepared both ways in turn, in one process, each way in a thread of its own; CPU time is that of the whole
process, the least of three. Throughput is wall time, counted only while both cores are free: before and after each
round two processes turn empty loops, and the cores are free when they did 1.8 times what one does.

Quality is that of the encoded picture against a lossless Lanczos fit of the same frame. Where the rival shows another
picture (it drops alpha, clips 16-bit grey, leaves turned pictures lying), Pillow's way of our own is the measure.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import numpy as np
from claims import Ratio
from free_cores import capacity
from PIL import Image
from rivals.rivals import prepare
from screenshot_files import OTHER_PICTURE, Files, corpus, modes, recorded_jpegs, recorded_pngs
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from agenthorizon.case import View
from agenthorizon.evidence import images
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.pixels import Pixels, best

VIEW = View()
REPEATS = 3
ROUNDS = 5
PASSES = 5
"""Of ours over the files in a round: about as long as the rival takes for one, so that chance evens out."""
FREE = 1.8
"""Of 2.0: what two loops at once must do, as a multiple of one."""
SSIM, PSNR = 0.003, 0.5
"""How much worse than the rival a picture may be; PSNR in decibels."""


class Ways:
    """The rival and ours, each in one thread that it keeps."""

    def __init__(self, ours: Pictures) -> None:
        self._thread = ThreadPoolExecutor(1)
        self.ours = ours

    def rival(self, path: Path) -> bytes:
        """Return the bytes that the rival makes of a screenshot."""
        return self._thread.submit(prepare, path).result()

    def own(self, path: Path) -> bytes:
        """Return the bytes that the product makes of it."""
        return self.ours.encoded(path, VIEW).data


def milliseconds(work: Callable[[], object]) -> float:
    """Return the CPU time of all threads."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def cpu(files: Files, ways: Ways) -> tuple[list[float], list[float]]:
    """Return CPU milliseconds of each file, the rival's and ours."""
    rival, own = [], []
    for path in files:
        pairs = [
            (milliseconds(lambda: ways.rival(path)), milliseconds(lambda: ways.own(path)))  # noqa: B023  called at once
            for _ in range(REPEATS)
        ]
        rival.append(min(pair[0] for pair in pairs))
        own.append(min(pair[1] for pair in pairs))
    return rival, own


def median_ratio(rival: Sequence[float], own: Sequence[float]) -> float:
    """Return the median of the ratios of two equally long rows of times."""
    return statistics.median(one / other for one, other in zip(rival, own, strict=True))


def quality(encoded: bytes, path: Path) -> tuple[float, float]:
    """Return SSIM and PSNR against a lossless Lanczos fit."""
    with Image.open(BytesIO(encoded)) as opened:
        shown = np.asarray(opened.convert("RGB"))
    whole = images.fitted(path.read_bytes(), None, path.name, Pixels())
    lossless = np.asarray(whole.resize((shown.shape[1], shown.shape[0]), Image.Resampling.LANCZOS))
    return structural_similarity(lossless, shown, channel_axis=2), peak_signal_noise_ratio(lossless, shown)


def measure_of(name: str, path: Path) -> bytes:
    """Return the picture that ours must be as good as."""
    if name not in OTHER_PICTURE:
        return prepare(path)
    return images.encode(images.fitted(path.read_bytes(), VIEW.fit, path.name, Pixels()), VIEW)


def compare(name: str, files: Files, ways: Ways) -> tuple[float, bool]:
    """Print a line about one kind of file; return the CPU ratio, and whether the quality is kept."""
    rival, own = cpu(files, ways)
    pairs = [(quality(measure_of(name, path), path), quality(ways.own(path), path)) for path in files]
    theirs, ours = (np.mean([pair[side] for pair in pairs], axis=0) for side in (0, 1))
    is_kept = abs(ours[0] - theirs[0]) <= SSIM and abs(ours[1] - theirs[1]) <= PSNR
    ratio = median_ratio(rival, own)
    print(
        f"{name:24} {len(files):4} {statistics.median(rival):8.1f} {statistics.median(own):8.1f} {ratio:6.2f}"
        f"  {theirs[0]:.4f} {ours[0] - theirs[0]:+.4f}  {theirs[1]:5.2f} {ours[1] - theirs[1]:+.2f}"
        f"  {'' if is_kept else 'NOT KEPT'}",
        flush=True,
    )
    return ratio, is_kept


def seconds(work: Callable[[], object]) -> float:
    """Return how long a piece of work takes, in seconds of the clock."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def throughput(files: Files, ways: Ways, patience: int) -> float | None:
    """Return how many times as many files two cores prepare, the median of rounds with free cores; None without any.

    The rival prepares one after the other, as the public harness does.
    """
    found: list[float] = []
    for _ in range(ROUNDS * patience):
        before = capacity()
        with ThreadPoolExecutor(4) as tasks:
            own = seconds(lambda: list(tasks.map(ways.own, [*files] * PASSES))) / PASSES
        rival = seconds(lambda: [ways.rival(path) for path in files])
        free = min(before, capacity())
        is_free = free >= FREE
        print(f"two cores: {rival / own:.2f} times, cores {free:.2f} of 2{'' if is_free else ': not free'}", flush=True)
        found += [rival / own] if is_free else []
        if len(found) == ROUNDS:
            break
    return statistics.median(found) if found else None


def warm(files: Files, ways: Ways, folder: Path) -> tuple[float, float]:
    """Return how many times as much the rival takes as ours on the second and on the first asking."""
    first = Ways(Pictures(PictureCache(folder)))
    cold = [(milliseconds(lambda: ways.rival(path)), milliseconds(lambda: first.own(path))) for path in files]  # noqa: B023
    first.ours.close()
    second = Ways(Pictures(PictureCache(folder)))
    second.own(files[0])  # opens the database
    rival, own = cpu(files, Ways(second.ours))
    second.ours.close()
    return median_ratio(rival, own), median_ratio(*zip(*cold, strict=True))


def main(arguments: argparse.Namespace) -> int:
    """Measure, print, and return the exit code."""
    print(f"ours: {best().name}")
    with tempfile.TemporaryDirectory() as scratch:
        frames = corpus(Path(scratch), arguments.frames)
        ways = Ways(Pictures())
        kept: dict[str, bool] = {}
        speed: dict[str, float] = {}
        print(f"{'files':24} {'n':>4} {'rival ms':>8} {'ours ms':>8} {'ratio':>6}  {'SSIM':6} {'':7}  {'PSNR':5}")
        kinds: Iterable[tuple[str, Files]] = [
            ("png", frames),
            ("jpeg", recorded_jpegs(arguments.frames)),
            ("png-recorded", recorded_pngs(arguments.frames)),
            *modes(Path(scratch), frames[:: max(1, len(frames) // 6)]),
        ]
        for name, files in kinds:
            speed[name], kept[name] = compare(name, files, ways)
        warmth, cold = warm(frames, ways, Path(scratch) / "cache")
        print(f"first asking, with what is kept written: {cold:.2f} times")
        both = throughput(frames, ways, arguments.patience)
    ratios = [
        Ratio("png-cpu", speed.pop("png"), 3),
        Ratio("jpeg-cpu", speed.pop("jpeg"), 2.5),
        *(Ratio(f"{name}-cpu", ratio, 1.4) for name, ratio in speed.items()),
        Ratio("png-two-cores", both or 0, 5),
        Ratio("warm-cache-cpu", warmth, 40),
    ]
    if both is None:
        print("the cores were never free: png-two-cores could not be measured; try again, or with more --patience")
    print("\n".join(map(str, ratios)))
    return 0 if all(kept.values()) and all(ratio.holds for ratio in ratios) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=50, help="files of the usual kinds")
    parser.add_argument("--patience", type=int, default=4, help="rounds tried for each round with free cores")
    sys.exit(main(parser.parse_args()))
