"""Training data for judges: what was really sent, answers that agree with the label, no label where students look."""

import hashlib
import json
import re
import shutil
import uuid

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.dataset.pair_words import differing_words
from agenthorizon.plugins import make_judge

SWAPPED, MISTAKE = ("child_instruction_parent_trajectory", "parent_instruction_child_trajectory"), "Bad Side Effect"


def reply(content, answer_body):
    return {"body": answer_body(json.dumps(content))}


def verdict(success, reasoning="Step 2 shows it."):
    mistake = None if success else MISTAKE
    return {"success": success, "reasoning": reasoning, "confidence": "high", "mistake_type": mistake}


def judged(bench, server, out, **more):
    """Run `direct` on a data set, one request after the other, and return the run's folder."""
    judge = make_judge("direct:mock", {"base_url": server.url} | more.pop("settings", {}))
    return ah.run(bench, judge, out=out, workers=1, attempts=1, **more).folder


def export(*words):
    return CliRunner().invoke(app, ["export", *map(str, words)])


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def texts(messages):
    return [part["text"] for one in messages for part in one["content"] if part["type"] == "text"]


@pytest.fixture(scope="module")
def run(start_model_server, answer_body, tmp_path_factory):
    """A run on all splits: on AH-D one reply is malformed, one attempt failed, one has no reasons, the rest say yes."""
    with start_model_server() as server:
        bench = ah.load("desktop")
        folder = tmp_path_factory.mktemp("runs")
        judged(bench, server, folder, split="AH", limit=2)
        server.received.clear()
        server.script = [reply("prose", answer_body), {"status": 400, "body": {"error": {"message": "no"}}}]
        server.script += [reply(verdict(True, ""), answer_body)]
        server.script += [reply(verdict(True), answer_body) for _ in bench.splits["AH-D"]]
        path = judged(bench, server, folder, split="AH-D")
        sent = [received.json for received in server.received]
    return path, sent


@pytest.fixture(scope="module")
def students(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("sft") / "student.jsonl"
    done = export(run[0], "-f", "sft", "-o", path)
    assert done.exit_code == 0, done.output or done.exception
    return path, done.stderr


@pytest.fixture(scope="module")
def teachers(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("sft") / "teacher.jsonl"
    done = export(run[0], "-f", "sft-teacher", "--split", "AH-D", "-o", path)
    assert done.exit_code == 0, done.output or done.exception
    return path, done.stderr


def test_an_example_is_each_agreeing_verdict_with_reasons_and_the_rest_is_counted(run, students):
    path, said = students
    bench = ah.load("desktop")
    labels = bench.labels
    asked = [outcome for outcome in map(json.loads, (run[0] / "outcomes.jsonl").read_text().splitlines())]
    agreeing = {
        line["task_id"]
        for line in asked
        if line["task_id"] in bench.splits["AH-D"]
        and line["verdict"]
        and labels[line["task_id"]].is_positive
        and line["verdict"]["reasoning"]
    }
    assert {row["task_id"] for row in rows(path)} == agreeing
    left_out = dict((why, int(count)) for count, why in re.findall(r"  (\d+) left out: (.*)", said))
    of_ah = sum(line["task_id"] in bench.splits["AH"] for line in asked)
    assert left_out.pop("of AH, which is not trained on") == of_ah > 0
    assert left_out["malformed replies"] == left_out["failed attempts"] == 1
    assert sum(left_out.values()) == len(bench.splits["AH-D"]) - len(agreeing)


def test_the_prompt_is_what_the_server_received_and_pictures_are_named_by_file_and_hash(run, students):
    bench = ah.load("desktop")
    received = {json.dumps(texts_sent(body)): body for body in run[1]}
    for row in rows(students[0]):
        system, user, answer = row["messages"]
        body = received[json.dumps([system["content"][0]["text"], *texts([user])])]
        kinds = [{"image_url": "image"}.get(part["type"], part["type"]) for part in body["messages"][1]["content"]]
        assert [part["type"] for part in user["content"]] == kinds
        assert len(row["images"]) == kinds.count("image") > 0
        for image in row["images"]:
            files = [(bench.root / name).read_bytes() for name in image["files"]]
            assert [hashlib.sha256(data).hexdigest() for data in files] == image["sha256"]
        assert json.loads(answer["content"][0]["text"]) == verdict(True)
    assert "base64" not in students[0].read_text()


def texts_sent(body):
    system, user = body["messages"]
    return [system["content"], *(part["text"] for part in user["content"] if part["type"] == "text")]


def test_no_student_sees_a_label(students, teachers):
    """A prompt for students of a task says the same whatever its label is, and nothing beside it says more."""
    labels = ah.load("desktop").labels
    guide = rows(students[0])[0]["messages"][0]["content"][0]["text"]
    for row in [*rows(students[0]), *rows(teachers[0])]:
        shown = row.get("student_prompt") or row["messages"][:2]
        label = labels[row["task_id"]]
        beside = {name: value for name, value in row.items() if name not in ("messages", "teacher_prompt")}
        said = json.dumps(beside | {"student_prompt": shown}).replace(json.dumps(guide)[1:-1], "")
        assert not re.search(r"\b(positive|negative|mistake_type|Label:|teacher here)\b", said)
        assert all(name not in said for name in (label.original_id, label.paired_id, *SWAPPED))


def test_a_teacher_is_told_the_label_and_the_words_that_differ_and_nothing_else_is_added(teachers):
    bench = ah.load("desktop")
    labels = bench.labels
    found = rows(teachers[0])
    assert {row["task_id"] for row in found} == set(bench.splits["AH-D"])
    assert {row["kind"] for row in found} == {"agenthorizon-teacher"}
    for row in found:
        *same, told = row["teacher_prompt"][1]["content"]
        assert [row["teacher_prompt"][0], {"role": "user", "content": same}] == row["student_prompt"]
        label = labels[row["task_id"]]
        assert f"Label: {label.label}, so `success` is {str(label.is_positive).lower()}" in told["text"]
        assert (label.mistake_type or "`mistake_type`") in told["text"] or label.is_positive
        mates = [mate for mate in labels.values() if mate.original_id == label.original_id and mate != label]
        (other,) = {bench[mate.trajectory_id].instruction for mate in mates}
        own = bench[row["task_id"]].instruction
        for word in {*own.split()} ^ {*other.split()}:
            assert word in told["text"]


def test_both_files_load_with_datasets_and_cannot_be_taken_for_each_other(students, teachers, tmp_path):
    from datasets import load_dataset

    student, teacher = (
        load_dataset("json", data_files=str(path), split="train", cache_dir=str(tmp_path))
        for path, _ in (students, teachers)
    )
    assert student[0]["messages"][-1]["role"] == "assistant"
    assert set(student["kind"]) == {"agenthorizon-student"}
    assert {"messages", "prompt", "completion"}.isdisjoint(teacher.column_names)
    assert {"teacher_prompt", "student_prompt"}.isdisjoint(student.column_names)
    assert teacher[0]["teacher_prompt"][1]["content"][-1]["text"].startswith("You are the teacher here")


def test_pictures_in_a_grid_are_named_each(model_server, answer_body, tmp_path):
    bench = ah.load("demo")
    model_server.script = [reply(verdict(True), answer_body) for _ in bench.splits["AH-D"]]
    path = judged(bench, model_server, tmp_path, split="AH-D", settings={"merge": "always"})
    assert export(path, "-f", "sft", "-o", tmp_path / "s.jsonl").exit_code == 0
    images = [image for row in rows(tmp_path / "s.jsonl") for image in row["images"]]
    assert {image["grid"] for image in images} == {2}
    assert max(len(image["files"]) for image in images) == 4
    assert all(len(image["files"]) == len(image["sha256"]) == len(image["steps"]) for image in images)


@pytest.mark.parametrize("split", ["AH", "AH-S", "AH-D,AH"])
def test_ah_and_ah_s_are_refused(run, tmp_path, split):
    done = export(run[0], "-f", "sft", "--split", split, "-o", tmp_path / "x.jsonl")
    assert isinstance(done.exception, ah.UsageError)
    assert "is no training data" in str(done.exception)
    assert not (tmp_path / "x.jsonl").exists()


def own_copy(demo, folder, name, stem="AgentHorizon", *, renamed=False):
    """Put a split of the demonstration set, under another name, into a folder of one's own.

    `renamed`: ids and pictures' names are others, too.
    """
    folder.mkdir()
    lines = [json.loads(line) for line in (demo / f"{stem}.jsonl").read_text().splitlines()]
    tasks, labels = [], []
    for line in lines:
        task = json.loads((demo / "sandbox/data/jsons" / f"{line['trajectory_id']}.json").read_text())
        new = str(uuid.uuid4()) if renamed else line["trajectory_id"]
        for number, step in enumerate(task["steps"]):
            if step.get("screenshot"):
                place = folder / "media" / f"{new}-{number}.png" if renamed else folder / step["screenshot"]
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(demo / "sandbox" / step["screenshot"], place)
                step["screenshot"] = str(place.relative_to(folder))
        tasks.append({**task, "trajectory_id": new})
        labels.append({"trajectory_id": new, "label": line["label"], "pair_group_id": line["pair_group_id"]})
    (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in tasks))
    (folder / f"{name}_labels.jsonl").write_text("".join(f"{json.dumps(label)}\n" for label in labels))
    return folder / f"{name}.jsonl"


@pytest.mark.parametrize("renamed", [False, True])
def test_tasks_of_ah_are_refused_under_another_splits_name(demo, model_server, tmp_path, renamed):
    bench = ah.load(own_copy(demo, tmp_path / "own", "train", renamed=renamed))
    assert list(bench.splits) == ["train"]
    path = judged(bench, model_server, tmp_path)
    done = export(path, "-f", "sft", "-o", tmp_path / "x.jsonl")
    assert isinstance(done.exception, ah.UsageError)
    assert "15 of the tasks to train on are tasks of AH or AH-S" in str(done.exception)
    assert not (tmp_path / "x.jsonl").exists()


def test_labels_of_another_name_do_not_make_ah_training_data(demo, model_server, tmp_path):
    path = judged(ah.load("demo"), model_server, tmp_path, split="AH")
    shutil.copy(demo / "AgentHorizon.jsonl", tmp_path / "train.jsonl")
    done = export(path, "-f", "sft-teacher", "--labels", tmp_path / "train.jsonl", "-o", tmp_path / "x.jsonl")
    assert isinstance(done.exception, ah.UsageError)
    assert "15 of the tasks to train on" in str(done.exception)


@pytest.mark.parametrize(("name", "is_taken"), [("dev", True), ("Train", True), ("mine", False)])
def test_own_data_is_taken_where_its_split_is_marked_for_training(demo, model_server, tmp_path, name, is_taken):
    own = own_copy(demo, tmp_path / "own", name, "AgentHorizon-Development", renamed=True)
    path = judged(ah.load(own), model_server, tmp_path)
    done = export(path, "-f", "sft", "-o", tmp_path / "x.jsonl")
    assert (done.exit_code == 0) is is_taken
    assert is_taken or "named train, training, dev, development" in str(done.exception)


def test_a_split_with_the_published_counts_of_ah_is_refused(tmp_path):
    from agenthorizon.dataset.label import Label
    from agenthorizon.dataset.labels import Labels
    from agenthorizon.dataset.trainable import training_splits

    answers = ["positive"] * 227 + ["negative"] * 301
    labels = Labels({"dev": [Label(trajectory_id=f"t{n}", label=answer) for n, answer in enumerate(answers)]})
    with pytest.raises(ah.UsageError, match="exactly as many positives and negatives as AH"):
        training_splits(labels, None)


def test_judges_that_ask_otherwise_and_data_that_changed_are_refused(demo, model_server, tmp_path):
    bench = ah.load("demo")
    silent = ah.run(bench, "always_yes", split="AH-D", out=tmp_path).folder
    assert "whose prompt is one request" in str(export(silent, "-f", "sft", "-o", tmp_path / "x.jsonl").exception)
    own = own_copy(demo, tmp_path / "own", "dev", "AgentHorizon-Development", renamed=True)
    path = judged(ah.load(own), model_server, tmp_path)
    own.write_text(own.read_text().replace('"instruction": "', '"instruction": "Please ', 1))
    done = export(path, "-f", "sft", "-o", tmp_path / "x.jsonl")
    assert isinstance(done.exception, ah.UsageError)
    assert "differ from what it was run with: data" in str(done.exception)


@pytest.mark.parametrize(
    ("part", "key", "differs"),
    [("evidence", "pipeline", False), ("data", "fingerprint", True), ("prompt", "sha256", True)],
)
def test_a_run_of_another_version_is_taken_while_its_prompts_are_the_same(run, tmp_path, part, key, differs):
    copied = shutil.copytree(run[0], tmp_path / "run")
    config = json.loads((copied / "config.json").read_text())
    config[part][key] = "another"
    (copied / "config.json").write_text(json.dumps(config))
    done = export(copied, "-f", "sft", "-o", tmp_path / "x.jsonl")
    assert (done.exit_code == 0) is not differs
    assert not differs or f"differ from what it was run with: {part}" in str(done.exception)


def test_words_that_differ_stand_side_by_side():
    assert differing_words("open the red file now", "open the blue file") == [("red", "blue"), ("now", "")]
    assert differing_words("same", "same") == []


def test_several_runs_are_one_file_and_tasks_held_out_in_one_are_in_none(demo, model_server, answer_body, tmp_path):
    judges = [{"merge": "auto"}, {"merge": "always"}]
    model_server.script = [reply(verdict(True), answer_body) for _ in range(28)]
    bench = ah.load("demo")
    paths = [judged(bench, model_server, tmp_path, split="AH-D", settings=settings) for settings in judges]
    assert export(*paths, "-f", "sft", "-o", tmp_path / "both.jsonl").exit_code == 0
    assert {row["run"] for row in rows(tmp_path / "both.jsonl")} == {path.name for path in paths}
    held_out = own_copy(demo, tmp_path / "own", "AH", "AgentHorizon-Development")
    paths.append(judged(ah.load(held_out), model_server, tmp_path))
    done = export(*paths, "-f", "sft", "-o", tmp_path / "x.jsonl")
    assert isinstance(done.exception, ah.UsageError)
    assert "14 of the tasks to train on" in str(done.exception)
