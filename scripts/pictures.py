"""Re-makes the pictures in the README: a screenshot of the page of the demo, and a figure of the published results.

    python scripts/pictures.py

Needs chromium and chromedriver, and the extras `dev`, `ocr` and `report`.
"""

import io
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
TASK = "43bf887b-6261-40a6-a86f-bf9fbd3070e1"
"""A negative whose recording types another note than the instruction says."""
STEP = 17
SIZE = (1280, 860)


def main() -> None:
    """Run the demo, write its page, photograph a task; draw the published results."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        command("demo", "--out", place / "runs")
        command("report", *sorted((place / "runs").glob("demo.*")), "-o", place / "page")
        photograph(place / "page" / "index.html", FOLDER / "page.png")
        command("figures", "--published", "-o", place / "figures", "-f", "svg")
        shutil.copy(place / "figures" / "rates.svg", FOLDER / "published.svg")
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def command(*words: object) -> None:
    """Run a command of ours."""
    subprocess.run([sys.executable, "-m", "agenthorizon", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def photograph(page: Path, path: Path) -> None:
    """Open a task in a browser and keep what is seen, in 256 colours."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or sys.exit("no chromium")
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(switch)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        size = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(page.as_uri())
        key = driver.execute_script("return AH.index.tasks.find((task) => task.id === arguments[0]).key", TASK)
        driver.get(f"{page.as_uri()}#view=task&task={key}&step={STEP}")
        time.sleep(2)  # until the pictures of the strip are there
        picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
