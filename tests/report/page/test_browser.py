"""The page in a real browser, opened from disk: what a reader does, and what hostile data cannot do."""

import json
import shutil
import subprocess
import sys
import threading
from collections import Counter

import pytest

import agenthorizon as ah
from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.outcome import Outcome
from agenthorizon.report.page.live import LiveSite
from agenthorizon.report.page.serving import server
from agenthorizon.report.page.sites import Shown, catalogue_of
from agenthorizon.running.store import read_run

pytestmark = [
    pytest.mark.outside,  # Debian's chromium and chromium-driver
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
VIEWS = ("", "view=slices", "view=compare", "view=tasks")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Four judges on the shipped data: three that look at nothing, and `ocr`, which reads the screenshots."""
    out, bench = tmp_path_factory.mktemp("demo"), ah.load("demo")
    return [ah.run(bench, judge, out=out).folder for judge in ("always_no", "always_yes", "coin", "ocr")]


@pytest.fixture(scope="module")
def page(runs, tmp_path_factory):
    """Address of the report of the demo."""
    return reported(runs, tmp_path_factory.mktemp("report"))


def reported(runs, folder):
    words = [sys.executable, "-m", "agenthorizon", "report", *runs, "-o", folder]
    subprocess.run(words, capture_output=True, check=True)
    return (folder / "index.html").as_uri()


@pytest.fixture(scope="module")
def chromium():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium):
    """A window of 1280 by 900 pixels; afterwards: the console is empty and nothing off the machine was asked for."""
    chromium.get("about:blank")
    resize(chromium, 1280)
    for log in ("browser", "performance"):
        chromium.get_log(log)
    yield chromium
    assert chromium.get_log("browser") == []
    sent = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    urls = [event["params"]["request"]["url"] for event in sent if event["method"] == "Network.requestWillBeSent"]
    assert urls
    assert [url for url in urls if not url.startswith(("file:///", "http://127.0.0.1:", "about:"))] == []


def resize(driver, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def wait(driver, script, *arguments):
    """Return what a script gives once it is true."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, 30, 0.05).until(lambda d: d.execute_script(script, *arguments))


def go(driver, page, address=""):
    driver.get("about:blank")  # else another address of the same page would not load it anew
    driver.get(f"{page}#{address}")
    wait(driver, "return document.querySelector('main').className !== ''")


def texts(driver, selector):
    return driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())", selector
    )


def find(driver, selector):
    return driver.find_element("css selector", selector)


def choose(driver, name, value):
    from selenium.webdriver.support.ui import Select

    Select(find(driver, f"select[name='{name}']")).select_by_value(value)


def press(driver, key):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(driver).send_keys(getattr(Keys, key, key)).perform()


def test_the_leaderboard_sorts_by_keyboard_and_filters(browser, page):
    go(browser, page)
    head = next(e for e in browser.find_elements("css selector", "th button") if e.text.startswith("TNR"))
    head.send_keys("\n")
    assert texts(browser, "th[aria-sort=descending]") == ["TNR"]
    assert texts(browser, ".judge")[-1] == "always_yes"
    head.send_keys("\n")
    assert texts(browser, ".judge")[0] == "always_yes"
    find(browser, "input[name=judge]").send_keys("oc")
    assert texts(browser, ".judge") == ["ocr"]


def test_filters_leave_the_tasks_that_the_runs_say(browser, page, runs):
    labels = ah.load("demo").labels
    said = {run.judge: {o.task_id: o.verdict.success for o in run.outcomes} for run in map(read_run, runs)}
    disagree = {name for name in labels if len({of_judge[name] for of_judge in said.values()}) > 1}
    ocr_alone_wrong = [n for n, label in labels.items() if said["ocr"][n] != label.is_positive == said["coin"][n]]
    go(browser, page, "view=tasks")
    assert texts(browser, "#count") == ["41 of 41 tasks"]
    choose(browser, "show", "disagree")
    assert texts(browser, "#count") == [f"{len(disagree)} of 41 tasks"]
    find(browser, ".filters button").click()
    wait(browser, "return document.querySelector('#count').innerText === '41 of 41 tasks'")
    choose(browser, f"j{sorted(said).index('ocr')}", "wrong")
    choose(browser, f"j{sorted(said).index('coin')}", "right")
    assert texts(browser, "#count") == [f"{len(ocr_alone_wrong)} of 41 tasks"]
    find(browser, "input[name=text]").send_keys("no such words")
    assert texts(browser, "#count") == ["0 of 41 tasks"]


def test_the_text_filter_finds_what_judges_said_and_loads_it_when_it_is_asked_for(browser, page, runs):
    found = {o.task_id for run in runs for o in read_run(run).outcomes if "was typed at step 2" in o.verdict.reasoning}
    assert 0 < len(found) < 41
    go(browser, page, "view=tasks")
    assert browser.execute_script("return AH.reasons") is None
    find(browser, "input[name=text]").send_keys("WAS typed at step 2")
    wait(browser, "return document.querySelector('#count').innerText === arguments[0]", f"{len(found)} of 41 tasks")
    find(browser, ".tasks a").click()
    wait(browser, "return document.querySelector('.path') !== null")
    address = browser.current_url.partition("#")[2]
    go(browser, page, address)
    wait(browser, "return document.querySelector('.path').innerText.includes(arguments[0])", f"1 of {len(found)}")


def test_only_second_wrong_leads_to_the_mistakes_that_the_second_judge_alone_makes(browser, page, runs):
    bench = ah.load("demo")
    said = {run.judge: {o.task_id: o.verdict.success for o in run.outcomes} for run in map(read_run, runs)}
    labels = {name: bench.labels[name].is_positive for name in bench.splits["AH"]}
    wanted = [name for name, label in labels.items() if said["coin"][name] == label != said["ocr"][name]]
    assert wanted
    go(browser, page, "view=compare")
    link = find(browser, ".scroll a[title='ocr wrong, coin right']")
    assert link.text == str(len(wanted))
    link.click()
    wait(browser, "return document.querySelector('#count') !== null")
    assert texts(browser, "#count") == [f"{len(wanted)} of the {len(labels)} tasks in AH"]
    assert sorted(text.split()[-1] for text in texts(browser, ".what .facts")) == sorted(name[:8] for name in wanted)


def test_a_slice_by_system_leads_to_its_tasks(browser, page):
    go(browser, page, "view=slices")
    link = find(browser, "a[title='The tasks of AH with linux']")
    count = link.text
    link.click()
    wait(browser, "return document.querySelector('#count') !== null")
    assert texts(browser, "#count") == [f"{count} of the 15 tasks in AH"]
    assert all("Linux" in text for text in texts(browser, ".what .facts"))


def test_where_no_task_is_left_the_filters_can_be_cleared_there(browser, page):
    go(browser, page, "view=tasks&split=AH&text=no+such+words")
    wait(browser, "return document.querySelector('.empty button') !== null")
    assert texts(browser, "#count") == ["0 of the 15 tasks in AH"]
    find(browser, ".empty button").click()
    wait(browser, "return document.querySelector('.empty') === null")
    assert texts(browser, "#count") == ["41 of 41 tasks"]


def test_the_judges_of_a_comparison_stay_in_sight_in_a_narrow_window(browser, page):
    resize(browser, 400)
    go(browser, page, "view=compare")
    places = """const box = document.querySelector('.scroll');
      box.scrollLeft = 300;
      return [...box.querySelectorAll('tbody tr:first-child .stays')].map(
        (cell) => Math.round(cell.getBoundingClientRect().left - box.getBoundingClientRect().left));"""
    first, second = browser.execute_script(places)
    assert 0 <= first < second < 120


def test_every_column_that_has_help_shows_it_to_those_who_cannot_point(browser, page):
    for view in ("", "view=slices", "view=compare"):
        go(browser, page, view)
        titled = browser.execute_script("return [...document.querySelectorAll('th[title]')].map(e => e.title)")
        assert set(titled) == set(texts(browser, ".legend dd")) != set()


def test_slices_are_those_of_the_split_chosen(browser, page):
    go(browser, page, "view=slices")
    next(e for e in browser.find_elements("css selector", ".tabs button") if e.text == "AH-S").click()
    heads = texts(browser, "h2")
    assert heads
    assert all(head.startswith("AH-S by ") for head in heads)


def test_a_count_in_the_leaderboard_leads_to_its_tasks(browser, page):
    go(browser, page)
    row = next(e for e in browser.find_elements("css selector", "tbody tr") if "always_no" in e.text)
    links = row.find_elements("css selector", "a")
    wanted = int(links[0].text)
    links[0].click()
    wait(browser, "return document.querySelector('#count') !== null")
    assert len(texts(browser, ".tasks li")) == wanted
    assert Counter(texts(browser, ".label")) == {"positive": wanted}


def test_a_disagreement_is_opened_and_stepped_through_with_the_keyboard(browser, page):
    go(browser, page, "view=tasks&show=disagree")
    find(browser, ".tasks a").click()
    wait(browser, "return document.querySelector('#caption') !== null && document.querySelector('#caption').innerText")
    assert set(texts(browser, ".verdict .chip")) > {"accepts: right"} or "accepts: wrong" in texts(
        browser, ".verdict .chip"
    )
    [steps] = {int(text.split(":")[0].split()[-1]) for text in texts(browser, "#caption")}
    press(browser, "ARROW_RIGHT")
    press(browser, "ARROW_RIGHT")
    press(browser, "ARROW_LEFT")
    assert texts(browser, "#caption")[0].startswith(f"Step 2 of {steps}")
    press(browser, "END")
    assert texts(browser, "#caption")[0].startswith(f"Step {steps} of {steps}")
    assert texts(browser, "[aria-current=step] .number")[0].startswith(str(steps))
    first = texts(browser, ".goal")
    press(browser, "j")
    wait(browser, "return document.querySelector('.goal').innerText !== arguments[0]", first[0])
    press(browser, "ESCAPE")
    wait(browser, "return document.querySelector('#count') !== null")
    assert set(browser.current_url.partition("#")[2].split("&")) == {"view=tasks", "show=disagree"}


def clicks():
    """Every click of the demo that has a picture, as (key, place of the step, x, y)."""
    bench = ah.load("demo")
    catalogue = catalogue_of(bench, "thumbs")
    for task_id in bench.splits["AH"]:
        for n, step in enumerate(bench[task_id].trajectory.steps):
            if step.screenshot and step.action and step.action.type == "click":
                yield catalogue.tasks[task_id].key, n, step.action.parameters["x"], step.action.parameters["y"]


def test_the_click_marker_is_where_the_action_says(browser, page):
    for key, n, x, y in list(clicks())[::12]:
        go(browser, page, f"view=task&task={key}&step={n + 1}")
        place = wait(
            browser,
            """const image = document.querySelector('.screen img');
            const mark = document.querySelector('.screen .ink .click');
            if (!image || !image.complete || !image.naturalWidth || !mark) return null;
            const [a, b] = [image.getBoundingClientRect(), mark.getBoundingClientRect()];
            return [(b.x + b.width / 2 - a.x) / a.width, (b.y + b.height / 2 - a.y) / a.height, a.width, a.height];""",
        )
        width, height = size_of(key)
        assert abs(place[0] * width - x) * place[2] / width < 1, "less than a pixel on the screen"
        assert abs(place[1] * height - y) * place[3] / height < 1


def size_of(key):
    bench = ah.load("demo")
    catalogue = catalogue_of(bench, "none")
    return bench[catalogue.ids[key]].trajectory.screen_resolution


def test_zooming_enlarges_the_picture_and_keeps_the_place_in_sight(browser, page):
    key, n, *_ = next(clicks())
    go(browser, page, f"view=task&task={key}&step={n + 1}")
    wait(browser, "return document.querySelector('.screen .click') !== null")
    before = browser.execute_script("return document.querySelector('.screen').offsetWidth")
    press(browser, "+")
    press(browser, "+")
    after = browser.execute_script("return document.querySelector('.screen').offsetWidth")
    assert after == pytest.approx(2 * before, abs=40), "twice as wide, but for a scroll bar"
    inside = """const a = document.querySelector('.stage').getBoundingClientRect(),
      b = document.querySelector('.screen .ink .click').getBoundingClientRect();
      return b.x > a.x && b.right < a.right && b.y > a.y && b.bottom < a.bottom;"""
    assert browser.execute_script(inside)


def test_a_drag_moves_what_is_zoomed_and_a_click_shows_the_whole_again(browser, page):
    from selenium.webdriver.common.action_chains import ActionChains

    key, n, *_ = next(clicks())
    go(browser, page, f"view=task&task={key}&step={n + 1}")
    wait(browser, "return document.querySelector('.screen .click') !== null")
    height = "return document.querySelector('.stage').offsetHeight"
    before = browser.execute_script(height)
    for _ in range(3):
        press(browser, "+")
    browser.execute_script("document.querySelector('.stage').scrollTo(200, 200)")
    stage = find(browser, ".stage")
    ActionChains(browser).move_to_element(stage).click_and_hold().move_by_offset(-60, -40).release().perform()
    assert browser.execute_script("const s = document.querySelector('.stage'); return [s.scrollLeft, s.scrollTop]") == [
        260,
        240,
    ]
    assert browser.execute_script(height) == before, "nothing below has moved"
    ActionChains(browser).move_to_element(stage).click().perform()
    assert "zoomed" not in stage.get_attribute("class")


def test_buttons_that_can_do_nothing_are_disabled(browser, page):
    key = next(clicks())[0]
    go(browser, page, f"view=task&task={key}")
    wait(browser, "return document.querySelector('.controls') !== null")
    assert texts(browser, ".controls :disabled") == ["|◀", "◀", "−", "Whole"]
    press(browser, "END")
    press(browser, "+")
    assert texts(browser, ".controls :disabled") == ["▶", "▶|"]


def unpictured():
    """A click of the demo without a picture: (key, place of the step, place of the last with one before it)."""
    bench = ah.load("demo")
    catalogue = catalogue_of(bench, "thumbs")
    for task in bench:
        steps = task.trajectory.steps
        for n, step in enumerate(steps):
            shown = [m for m in range(n) if steps[m].screenshot]
            if shown and not step.screenshot and step.action and step.action.type == "click":
                return catalogue.tasks[task.id].key, n, shown[-1]
    raise LookupError("every click has a picture")


def test_a_step_without_a_screenshot_shows_the_last_one_dimmed_with_its_own_action(browser, page):
    key, n, last = unpictured()
    go(browser, page, f"view=task&task={key}&step={last + 1}")
    look = """const image = document.querySelector('.screen img');
      return image && image.complete && [image.src, getComputedStyle(image).opacity, image.offsetHeight]"""
    source, opacity, height = wait(browser, look)
    assert opacity == "1"
    go(browser, page, f"view=task&task={key}&step={n + 1}")
    assert wait(browser, look) == [source, "0.4", height]
    assert texts(browser, ".older")[0].startswith(f"Screen of step {last + 1};")
    assert browser.execute_script("return document.querySelectorAll('.screen .ink .click').length") == 1


def test_the_picture_and_the_strip_fit_into_the_window(browser, page):
    key, n, *_ = next(clicks())
    go(browser, page, f"view=task&task={key}&step={n + 1}")
    wait(browser, "const i = document.querySelector('.screen img'); return i && i.complete && i.naturalWidth")
    fits = "return document.querySelector('.strip').getBoundingClientRect().bottom <= window.innerHeight"
    assert browser.execute_script(fits)


@pytest.mark.parametrize("width", [1280, 400])
def test_the_strip_shows_the_step_that_is_looked_at(browser, page, width):
    resize(browser, width)
    key = next(clicks())[0]
    go(browser, page, f"view=task&task={key}")
    wait(browser, "return document.querySelector('.strip') !== null")
    inside = """const a = document.querySelector('.strip').getBoundingClientRect(),
      b = document.querySelector('[aria-current=step]').getBoundingClientRect();
      return b.x >= a.x && b.right <= a.right;"""
    press(browser, "END")
    assert browser.execute_script(inside), "after a key"
    press(browser, "ESCAPE")
    wait(browser, "return document.querySelector('#count') !== null")
    browser.execute_script("location.hash = arguments[0]", f"view=task&task={key}&step=9")
    wait(browser, "return document.querySelector('.strip') !== null")
    assert browser.execute_script(inside), "opened again, with its file already there"


def test_the_words_in_which_a_pair_differs_are_marked(browser, page):
    catalogue = catalogue_of(ah.load("demo"), "none")
    key = next(entry.key for entry in catalogue.tasks.values() if entry.instruction == "Insert a 4 * 3 table")
    go(browser, page, f"view=task&task={key}")
    [mine, theirs] = browser.execute_script("return [...document.querySelectorAll('.sides p')].map(p => p.innerHTML)")
    assert {mine, theirs} == {
        "Insert a <mark>4</mark> * <mark>3</mark> table",
        "Insert a <mark>3</mark> * <mark>4</mark> table",
    }


@pytest.mark.parametrize("width", [1280, 400])
def test_no_view_is_wider_than_the_window(browser, page, width):
    resize(browser, width)
    key = next(clicks())[0]
    for view in (*VIEWS, f"view=task&task={key}"):
        go(browser, page, view)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, view


def test_markup_and_script_in_the_data_are_shown_as_text(browser, hostile_run, hostile_text, tmp_path):
    page = reported([hostile_run], tmp_path)
    shown = safe_text(hostile_text)
    for view in ("", "view=tasks"):
        go(browser, page, view)
        assert shown in browser.execute_script("return document.body.textContent")
    for link in ("own", "swapped"):
        key = catalogue_of(ah.load(str(hostile_run_data(hostile_run))), "none").tasks[link].key
        go(browser, page, f"view=task&task={key}&step=2")
        wait(browser, "return document.querySelector('.bubble') && document.querySelector('.bubble').innerText")
        for selector in (".goal", ".bubble", ".reasoning", ".wording"):
            found = browser.execute_script("return document.querySelector(arguments[0]).textContent", selector)
            assert "</script><script>window.hacked=1</script>" in found, selector
    assert browser.execute_script("return window.hacked === undefined")
    assert browser.execute_script("return document.querySelectorAll('[onerror], main script').length") == 0


def hostile_run_data(run):
    return read_run(run).config["location"]


def test_an_inline_script_would_not_run_at_all(chromium, page):
    """The second wall: even were markup let in, the policy refuses its script."""
    go(chromium, page)
    chromium.execute_script("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=3\">')")
    refused = wait(chromium, "return document.querySelector('img[src=x]') !== null")
    log = chromium.get_log("browser")
    assert refused
    assert chromium.execute_script("return window.hacked === undefined")
    assert any("Content Security Policy" in entry["message"] for entry in log)


def test_a_served_page_follows_a_run_that_goes_on(browser, hostile_data, run_writer, tmp_path):
    bench = ah.load(hostile_data)
    run = run_writer(tmp_path / "run", bench, "slow", [])
    serving = server(LiveSite(catalogue_of(bench, "view"), [run], Shown()), 0)
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        go(browser, f"http://127.0.0.1:{serving.server_port}/", "view=tasks")
        assert set(texts(browser, ".verdicts .chip")) == {"no answer\n: wrong"}
        verdict = {"success": True, "reasoning": "seen", "confidence": None, "mistake_type": None}
        with (run / "outcomes.jsonl").open("ab") as file:
            file.write(Outcome(task_id="own", status="verdict", verdict=verdict).to_line())
        wait(browser, "return [...document.querySelectorAll('.chip')].some(e => e.dataset.letter === 'y')")
    finally:
        browser.get("about:blank")
        serving.shutdown()
        thread.join()
        serving.server_close()


def test_a_cost_that_hangs_on_answers_kept_is_marked(browser, page, run_writer, tmp_path):
    bench = ah.load("demo")
    verdict = {"success": True, "reasoning": "x", "confidence": None, "mistake_type": None}
    outcomes = [
        Outcome(task_id=task_id, status="verdict", verdict=verdict, telemetry={"cost": 0.5}, evidence=evidence)
        for task_id, evidence in zip(bench.select("AH"), [{"described": {"asked": 1, "kept": 7}}, {}], strict=False)
    ]
    folder = run_writer(tmp_path / "run", bench, "describing", [(outcome, None) for outcome in outcomes])
    go(browser, reported([folder], tmp_path / "page"))
    tag = find(browser, "td small.tag[title*='found again']")
    assert (tag.text, tag.get_attribute("title").split(" answers")[0]) == ("kept", "7")
    go(browser, page)
    assert browser.find_elements("css selector", "td small.tag[title*='found again']") == []
