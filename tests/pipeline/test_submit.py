"""``yamafuda submit``: the package goes to a cluster that has none, and the driver works there."""

from __future__ import annotations

import ast
import http.server
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dashboards import DASHBOARD_PACKAGES, TOKEN, Dashboard, started_dashboard
from patience import PATIENCE_S
from toy_helpers import CONF, Yamafuda, command, summary, wait_until_it_hangs

from pipeline.shipping.fingerprint import fingerprint
from pipeline.shipping.lacking import Found, nodes_to_send_to, sending
from pipeline.shipping.package import lay_out, machine_of, shipped_packages
from pipeline.submit import command as submit_command
from pipeline.submit import there
from pipeline.submit.client import Client
from storage.errors import UserError

pytestmark = pytest.mark.ray
Faults = Callable[..., str]
HERE = Found(**fingerprint(["storage"]))


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    if not DASHBOARD_PACKAGES.is_dir():
        pytest.skip(f"no {DASHBOARD_PACKAGES}; make test-python sets it up")
    with started_dashboard(tmp_path_factory.mktemp("head")) as found:
        yield found


def results(tmp_path: Path) -> str:
    return f"paths.results={tmp_path / 'there'}"


def digest(run: Path) -> str:
    return str(summary(run)["content_digest"])


def submit(dashboard: Dashboard, *words: str) -> subprocess.CompletedProcess[str]:
    """The command; it may take its time on a busy machine."""
    return subprocess.run(
        command("submit", *words),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=dashboard.environment,
    )


def test_a_job_is_sent_and_followed(
    dashboard: Dashboard, yamafuda: Yamafuda, faults: Faults, tmp_path: Path
) -> None:
    job = ["job=toy_sweep", faults(raise_7=1)]
    words = [*job, results(tmp_path), dashboard.word]
    done = submit(dashboard, *words)
    assert done.returncode == 0, done.stderr
    run = Path(done.stdout.strip())
    assert run.parent.parent == tmp_path / "there"
    assert "unit 000001 failed (ValueError: 7 is broken on purpose) and is tried again" in done.stderr
    here = yamafuda("run", *job)
    assert digest(run) == digest(Path(here.stdout.strip()))

    (told,) = map(json.loads, submit(dashboard, *words, "--status", "--json").stdout.splitlines())
    assert (told["state"], told["status"]) == ("SUCCEEDED", 0)
    assert told["submission"].startswith("yamafuda-toy_sweep-")
    assert re.search(r"  status 0  took .* units?", submit(dashboard, *words, "--status").stdout)

    logs = submit(dashboard, *words, "--logs", "000001")
    assert logs.returncode == 0, logs.stderr
    lines = logs.stdout.splitlines()
    assert all(f" run={run.name} unit=000001 try=1 " in line for line in lines)
    assert any("ValueError: 7 is broken" in line for line in lines)


def test_ctrl_c_leaves_the_job_there(
    dashboard: Dashboard, faults: Faults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["job=toy_sweep", faults(hold_7=1), results(tmp_path), dashboard.word]
    follower = subprocess.Popen(
        command("submit", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dashboard.environment,
        # A shell that starts tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    wait_until_it_hangs(follower, tmp_path)
    follower.send_signal(signal.SIGINT)
    out, err = follower.communicate(timeout=PATIENCE_S)
    assert (follower.returncode, out) == (130, "")
    again = f"yamafuda submit {' '.join(words)} --config-dir {CONF}"
    assert err.splitlines()[-1].endswith(f"goes on there; to follow it: {again}; to stop it: {again} --stop")

    # It is at work, and the same words are not begun a second time.
    same = submit(dashboard, *words, "--no-follow")
    assert same.returncode == 0, same.stderr
    name = same.stdout.strip()
    assert same.stderr == f"{name} is at work already\n"
    stopped = submit(dashboard, *words, "--stop")
    assert stopped.returncode == 0, stopped.stderr
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)
    client = Client(dashboard.url)
    deadline_s = time.monotonic() + PATIENCE_S
    while not client.job(name).has_ended:
        assert time.monotonic() < deadline_s
        time.sleep(0.1)
    assert client.job(name).state == "STOPPED"
    with pytest.raises(UserError, match="no driver of these words is at work there"):
        submit_command.stop(request(*words))

    done = submit(dashboard, *words, "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["job"], told["status"]) == (0, "toy_sweep", 0), done.stderr
    assert f"{name[:-1]}2 is at work on {dashboard.url}" in done.stderr


def request(*words: str, wheel: Path | None = None) -> submit_command.Request:
    return submit_command.request_of(list(words), False, "", CONF, wheel, False)


def test_what_is_refused_starts_nothing(
    dashboard: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = wheel_called("yamafuda-0.1.0-cp311-abi3-manylinux_2_28_sparc.whl", tmp_path)
    good = ["job=toy_sweep", results(tmp_path), dashboard.word]
    for words, wheel, environment, part in (
        (good, None, {"RAY_AUTH_TOKEN": "wrong" * 10}, "does not take the token that is set here"),
        (good, None, {"RAY_AUTH_TOKEN_PATH": "none"}, "does not take requests without a token"),
        ([*good[:2], "cluster.address=http://127.0.0.1:1"], None, {}, "cannot be reached"),
        (
            [*good[:2], f"cluster.address=http://{dashboard.address}"],
            None,
            {},
            "not as the dashboard of a Ray",
        ),
        ([*good[:2], f"cluster.address={dashboard.address}"], None, {}, "cluster.address=http://HEAD:8265"),
        (good[:2], None, {}, "cluster.address=http://HEAD:8265"),
        ([*good, "cluster=local"], None, {}, "leave out cluster=local"),
        ([*good, "paths.tables=s3://key:secret@bucket/x"], None, {}, "s3://: has credentials in it"),
        ([*good, "job.nonsense=1"], None, {}, "job.nonsense: there is no field"),
        (good, Path("yamafuda.zip"), {}, "--wheel: yamafuda.zip does not have the name of a wheel"),
        (good, other, {}, "and what was sent is for sparc"),
    ):
        with monkeypatch.context() as changed:
            changed.delenv("RAY_AUTH_TOKEN", raising=False)
            for name, value in (environment or {"RAY_AUTH_TOKEN": TOKEN}).items():
                changed.setenv(name, value)
            with pytest.raises(UserError, match=re.escape(part)):
                submit_command.submit(request(*words, wheel=wheel), follows=False)
    done = submit(dashboard, "job=toy_sweep", dashboard.word)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("waiting for the head")]
    assert (done.returncode, done.stdout, len(lines)) == (2, "", 1)
    assert lines[0].startswith("yamafuda: paths.results: would be results there")
    assert not (tmp_path / "there").exists()


def test_another_ray(yamafuda: Yamafuda) -> None:
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"ray_version": "2.9.3"}).encode())

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"cluster.address=http://127.0.0.1:{server.server_port}"
        done = yamafuda("submit", "job=toy_sweep", address)
        server.shutdown()
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the cluster has Ray 2.9.3" in done.stderr


def wheel_called(name: str, folder: Path) -> Path:
    """What is installed here, as a wheel of any name."""
    content = folder / "content"
    content.mkdir()
    lay_out(content)
    for path in (*content.glob("toy*"), *content.glob("toys-*")):
        shutil.rmtree(path, ignore_errors=True)
    made = shutil.make_archive(str(folder / "made"), "zip", content)
    return Path(made).rename(folder / name)


def test_a_wheel_in_place_of_what_is_installed(tmp_path: Path) -> None:
    wheel = wheel_called(f"yamafuda-0.1.0-cp311-abi3-linux_{platform.machine()}.whl", tmp_path)
    (tmp_path / "out").mkdir()
    lay_out(tmp_path / "out", wheel)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    # Games that are installed here go with it.
    assert names == {path.name for path in (tmp_path / "content").iterdir()} | {
        "toy_game",
        "toys-1.dist-info",
    }
    (tmp_path / "empty").mkdir()
    other = wheel_called("yamafuda-0.1.0-py3-none-any.whl", tmp_path / "empty")
    shutil.rmtree(tmp_path / "empty" / "content" / "storage")
    Path(shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path / "empty" / "content")).rename(other)
    (tmp_path / "none").mkdir()
    with pytest.raises(UserError, match="has no storage"):
        lay_out(tmp_path / "none", other)


@pytest.mark.parametrize(
    ("tag", "machine"),
    [
        ("linux_x86_64", "x86_64"),
        ("manylinux2014_aarch64", "aarch64"),
        ("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64"),
        ("macosx_11_0_arm64", "arm64"),
    ],
)
def test_the_architecture_of_a_wheel(tag: str, machine: str) -> None:
    assert machine_of(Path(f"yamafuda-0.1.0-cp311-abi3-{tag}.whl")) == machine


def test_what_is_sent_is_what_is_here(tmp_path: Path) -> None:
    """Its files have the same fingerprint, and a process that has nothing else of ours finds games and version."""
    lay_out(tmp_path)
    code = (
        "import json; from pipeline.shipping.fingerprint import fingerprint\n"
        "from engines.contract.registry import game_names\n"
        f"print(json.dumps([fingerprint({shipped_packages()}), sorted(game_names())]))"
    )
    site = [path for path in sys.path if path.endswith("site-packages")]
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *site, os.environ["PYTHONPATH"]])},
        check=True,
    )
    found, games = json.loads(done.stdout)
    assert found == fingerprint(shipped_packages())
    assert (found["problem"], "toy" in games, "klondike" in games) == ("", True, True)


@pytest.mark.parametrize(
    ("told", "part"),
    [
        ("Requires-Python: >=3.99", "; >=3.99 is needed"),
        ("Requires-Dist: ray<2", "the head lacks what is needed: ray<2 (has 2."),
        ("Requires-Dist: no-such-thing>=3", "the head lacks what is needed: no-such-thing>=3; install it"),
        ("Requires-Dist: no-such-thing; extra == 'dev'", "job: there is no job 'toy_sweep'"),
    ],
)
def test_a_head_that_cannot(told: str, part: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    (info,) = tmp_path.glob("yamafuda-*.dist-info")
    python = "" if told.startswith("Requires-Python") else "Requires-Python: >=3.11\n"
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: yamafuda\nVersion: 0.1.0\n{python}{told}\n")
    request = {"machine": platform.machine(), "words": ["job=toy_sweep"], "options": [], "logs": None}
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.submit.there", json.dumps(request)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert part in done.stdout.splitlines()[-1]


def test_older_pythons_can_read_what_tells_them_that_they_are_old() -> None:
    ast.parse(Path(there.__file__).read_text(), feature_version=(3, 9))


def node(**changes: str) -> Found:
    return Found(**(vars(HERE) | changes))


def test_which_nodes_lack_what_is_here() -> None:
    same, other = node(host="a"), node(host="b", native="other")
    none = node(host="c", version="", digest="", native="", problem="ModuleNotFoundError: pipeline")
    assert nodes_to_send_to(HERE, [same, other, none]) == [other, none]
    text = sending([other, none], 3)
    assert text == (
        f"2 of 3 nodes lack the package as it is here (b has yamafuda {HERE.version}, other files; c has no yamafuda): "
        "it is sent to them"
    )
    assert "and 1 more)" in sending([other, none, none, none], 4)
    # A core for another architecture cannot be sent, but may be there.
    assert nodes_to_send_to(HERE, [node(machine="arm", native="its own")]) == []
    with pytest.raises(UserError, match=r"node d is of the architecture arm and has no yamafuda"):
        nodes_to_send_to(HERE, [node(host="d", machine="arm", digest="", version="")])
    with pytest.raises(UserError, match=r"node e cannot import the package \(no lmdb\)"):
        nodes_to_send_to(HERE, [node(host="e", problem="no lmdb")])


AS_IF_ELSEWHERE = """
import sys
from pipeline.runners import ray_session
ray_session.PACKAGES = ()  # nodes do not see this machine's disk
from pipeline.cli import main
main()
"""


def test_cluster_address_sends_the_package_where_it_lacks(dashboard: Dashboard, tmp_path: Path) -> None:
    words = ["run", "job=stackgame_table", "job.cards=2", f"cluster.address={dashboard.address}"]
    done = subprocess.run(
        [sys.executable, "-c", AS_IF_ELSEWHERE, *words, "cluster=address"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        # As ``ray start`` found the token.
        env={name: value for name, value in dashboard.environment.items() if name != "RAY_AUTH_MODE"},
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 nodes lack the package as it is here (" in done.stderr
    assert "has no yamafuda): it is sent to them" in done.stderr
    assert Path(done.stdout.strip(), "manifest.json").exists()


def test_cluster_address_with_another_token(
    dashboard: Dashboard, yamafuda: Yamafuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN[::-1])
    done = yamafuda("run", "job=toy_sweep", "cluster=address", f"cluster.address={dashboard.address}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "the cluster does not take the token that is set here (RAY_AUTH_TOKEN," in done.stderr
