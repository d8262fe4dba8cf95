"""The local server by its requests: who is let in, what is refused, what survives."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

import scoreproof as sp
from outside.served import SPECIFICATION, Served, below, megabytes, serving
from scoreproof.cli.app import main
from scoreproof.serve import gate
from scoreproof.serve.application import Desk

SLOW = {
    "datasets": {"data": {"p": 5040, "n": 20160}},
    "experiments": {"test": {"dataset": "data", "folds": 10, "stratified": False, "aggregation": "mean_of_scores"}},
    "tables": [
        {
            "grid": [
                ["Method", "Acc", "F1", "MCC"],
                *[[str(k), f"0.91{k:02}7", "0.7351", "0.6911"] for k in range(30)],
            ],
            "experiment": "test",
        }
    ],
}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        served.enter()
        yield served


def test_the_address_works_as_long_as_the_server_runs() -> None:
    with serving() as served:
        path = served.address.removeprefix(f"http://{served.place}")
        assert served.ask("GET", "/")[0] == 403
        assert served.ask("GET", "/?token=wrong")[0] == 403
        served.enter()
        assert served.ask("GET", path)[0] == 303  # another browser, or the same one later
        assert served.ask("GET", "/", headers={"cookie": served.cookie})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example:80"},
        {"host": "evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"cookie": "scoreproof=guessed"},
        {"x-scoreproof": ""},
    ],
    ids=str,
)
def test_other_sites_are_refused(server: Served, headers: dict[str, str]) -> None:
    status, sent, _ = server.ask("POST", "/look", json.dumps(SPECIFICATION).encode(), {**server.headers, **headers})
    assert status == 403
    assert sent["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in sent["content-security-policy"]
    assert server.post("/look", SPECIFICATION)[0] == 200


def test_only_this_machine_is_listened_to(server: Served) -> None:
    with open("/proc/net/tcp", encoding="ascii") as file:
        port = f"{int(server.place.split(':')[1]):04X}"
        listening = [
            line.split()[1] for line in file if line.split()[3] == "0A" and line.split()[1].endswith(f":{port}")
        ]
    assert listening == [f"0100007F:{port}"]


def test_verdicts_and_the_card_of_a_finding(server: Served) -> None:
    status, said = server.post("/look", SPECIFICATION)
    assert status == 200
    (told,) = said["tables"]
    assert [row["outcome"] for row in told["rows"]] == ["consistent", "inconsistent"]
    assert told["rows"][0]["cells"][0] == [1, 1]
    (card,) = told["cards"]
    assert card["places"] == [["Table 1", 2]]
    assert {(row, verdict) for row, _, verdict in told["faults"]} == {(2, "inconsistent")}
    assert f"<h3>{card['headline']}.</h3>" in card["html"]
    assert told["rows"][1]["words"] == f"{card['headline']}."
    assert "0.9800" in card["review"]
    assert server.post("/verify?name=it", card["certificate"].encode())[1]["valid"] is True


def test_a_paper_is_read_audited_and_kept_with_pictures_of_its_pages(server: Served) -> None:
    papers = Path(__file__).parents[1] / "data" / "papers"
    paper = (papers / "hospitals.pdf").read_bytes()
    status, _, lines = server.ask("POST", "/read?name=hospitals.pdf", paper, server.headers)
    assert status == 200
    *steps, said = map(json.loads, lines.splitlines())
    assert steps[:2] == [{"progress": [1, 2, "pages read"]}, {"progress": [2, 2, "pages read"]}]
    assert [row["outcome"] for table in said["tables"] for row in table["told"]["rows"]].count("question") == 2
    marked = {each["sentence"]: each for each in said["sentences"]}
    sentence = marked["The external test set has 200 patients, 50 with sepsis and 150 without."]
    assert sentence["page"] == 1
    assert sentence["experiments"] == ["50 with sepsis and 150 without of the test set"]
    assert len(sentence["boxes"]) == 2  # lines
    assert all(x > 0 and y > 0 and x + wide < 1 and y + high < 1 for x, y, wide, high in sentence["boxes"])
    assert server.get(f"/papers/{said['paper']}/1")[1].startswith(b"\x89PNG")
    assert server.get(f"/papers/{said['paper']}/9")[0] == 422
    for other in ("paper-0000000000000000/1", f"{said['paper']}/0", f"{said['paper']}/{'9' * 5000}"):
        assert server.get(f"/papers/{other}")[0] == 404


def test_of_many_sheets_and_long_reports_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, 1, 1)
    monkeypatch.setattr("scoreproof.serve.application._MOST_FOLDERS", 3)
    monkeypatch.setattr("scoreproof.serve.application._MOST_KEPT", 10_000)
    for number in range(5):
        desk.keep(f"sheet-{number}", ".json", b"{}")
    assert list(desk.kept) == ["sheet-2", "sheet-3", "sheet-4"]
    desk.keep("report", ".json", b"").with_name("report.html").write_bytes(b"x" * 9_000)  # which counts, too
    desk.keep("paper", ".pdf", b"x" * 5_000)
    assert list(desk.kept) == ["paper"]
    assert [path.name for path in tmp_path.iterdir()] == ["paper"]
    desk.close()


def test_a_sheet_is_kept(server: Served) -> None:
    assert server.get("/sheets/0123456789abcdef")[0] == 404
    assert server.ask("POST", "/sheets/0123456789abcdef", b'{"papers": []}', server.headers)[0] == 204
    assert server.get("/sheets/0123456789abcdef") == (200, b'{"papers": []}')
    assert server.ask("POST", "/sheets/..%2f..%2fx", b"{}", server.headers)[0] == 404


def test_a_report_in_every_format(server: Served, tmp_path: Path) -> None:
    with server.stream("/reports", SPECIFICATION) as told:
        *steps, said = told
    done, rows, label = steps[-1]["progress"]
    assert (done, label) == (rows, "B")
    assert said["verdict"] == "inconsistent"
    names = ("report.html", "report.tex", "report.txt", "report.json", "certificates.zip", "paper.scoreproof.yaml")
    got = {name: server.get(f"/reports/{said['report']}/{name}") for name in names}
    assert {status for status, _ in got.values()} == {200}
    assert json.loads(got["report.json"][1])["verdict"] == "inconsistent"
    assert sp.audit(got["paper.scoreproof.yaml"][1].decode()).verdict is sp.Verdict.INCONSISTENT
    with zipfile.ZipFile(io.BytesIO(got["certificates.zip"][1])) as archive:
        (name,) = archive.namelist()
        certificate = archive.read(name)
    assert server.post("/verify?name=a.json", certificate) == (
        200,
        {"valid": True, "words": str(_verified(certificate))},
    )
    tampered = certificate.replace(b"262", b"261")
    assert tampered != certificate
    status, said = server.post("/verify?name=a.json", tampered)
    assert (status, said["valid"]) == (200, False)
    assert server.post("/verify?name=a.json", b"{}")[0] == 422
    assert server.get("/reports/../../secret")[0] == 404


def _verified(certificate: bytes) -> sp.Verification:
    return sp.verify(json.loads(certificate))


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/read?name=paper.exe", b"x", 415, "not read"),
        ("/read", b"  \n", 422, "empty"),
        ("/read?name=paper.pdf", b"no pdf", 422, "paper.pdf"),
        ("/read?name=paper.docx", b"PK\x03\x04broken", 422, "paper.docx"),
        ("/look", {"tables": [{"file": "/etc/passwd", "experiment": "test"}]}, 422, "experiment"),
        ("/look", {**SPECIFICATION, "catalog": ["/etc/passwd"]}, 422, "catalog"),
        ("/look", {**SPECIFICATION, "tabels": 1}, 422, "tabels"),
        ("/look", b"[" * 100000, 422, "tables"),
        ("/look", [], 422, "tables"),
        ("/look", {"tables": [{"grid": [["Acc " * 5_000], ["0.9"]]}]}, 422, "20,000 characters in a cell"),
        ("/specification", {"tables": 3}, 422, "tables"),
        ("/specification", {"tables": [{}] * 100_000}, 422, "100,000 tables"),
        ("/specification", {"tables": [{"grid": [["0.9"] * 1_000] * 600}]}, 422, "600,000 cells"),
        ("/open", {"text": "tables: [{file: /etc/passwd}]", "files": {}}, 422, "drop both"),
        ("/open", {"text": "a: &a [*a]", "files": {}}, 422, ""),
        ("/open", {"text": 3, "files": {}}, 422, "text"),
    ],
)
def test_bad_requests_are_answered_in_words(server: Served, path: str, body: object, status: int, words: str) -> None:
    got, said = server.post(path, body)
    assert got == status
    assert words in said["error"]
    assert "Traceback" not in said["error"]


def test_too_large_is_said_before_it_is_read(server: Served) -> None:
    import http.client

    connection = http.client.HTTPConnection(server.place)
    connection.putrequest("POST", "/read?name=paper.pdf")
    for name, value in {**server.headers, "content-length": str(300 * 2**20)}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert "50 MB" in json.loads(answer.read())["error"]


def connected(server: Served, said: bytes) -> socket.socket:
    host, port = server.place.split(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(said)
    return connection


def is_cut_off(connection: socket.socket) -> bool:
    """Waits until the other side ends the connection, whatever it says before."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    connection.close()
    return True


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nhost: ", b"POST /look HTTP/1.1\r\nhost: %s\r\n%scontent-length: 99\r\n\r\n"]
)
def test_unfinished_connections_do_not_keep_others_out(server: Served, said: bytes) -> None:
    """More of them than the server keeps open: the oldest are cut off, and the page is answered."""
    if b"%s" in said:
        own = "".join(f"{name}: {value}\r\n" for name, value in server.headers.items())
        said %= (server.place.encode(), own.encode())
    open_ones = [connected(server, said) for _ in range(300)]
    assert server.post("/look", SPECIFICATION)[0] == 200
    assert is_cut_off(open_ones[0])
    for connection in open_ones[1:]:
        connection.close()
    assert server.post("/look", SPECIFICATION)[0] == 200


@pytest.mark.parametrize("cookie", [True, False])
def test_what_is_too_large_or_refused_is_not_read(server: Served, cookie: bool) -> None:
    """The answer comes before the body, and the body is cut off."""
    own = "".join(f"{name}: {value}\r\n" for name, value in server.headers.items()) if cookie else ""
    head = f"POST /read?name=a.md HTTP/1.1\r\nhost: {server.place}\r\n{own}content-length: {10**10}\r\n\r\n"
    connection = connected(server, head.encode())
    assert connection.recv(20).startswith(b"HTTP/1.1 413" if cookie else b"HTTP/1.1 403")
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 10**9:
            sent += connection.send(bytes(2**20))
    assert sent < 64 * 2**20  # what buffers hold
    connection.close()


def test_who_does_not_say_what_it_wants_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """By time alone: nothing, or a head or a body that comes by single bytes."""
    monkeypatch.setattr(gate, "HEAD", 0.3)
    monkeypatch.setattr(gate, "BODY", 0.3)

    async def patient(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    config = uvicorn.Config(patient, port=0, lifespan="off", http=gate.Connection, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    place = server.servers[0].sockets[0].getsockname()
    try:
        for said in (b"", b"GET / HT", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9000\r\n\r\n"):
            with socket.create_connection(place, timeout=0.05) as connection:
                connection.sendall(said)
                ended = False
                while not ended:
                    try:
                        connection.sendall(said[:1])
                        ended = not connection.recv(1)
                    except TimeoutError:
                        pass
                    except ConnectionError:
                        ended = True
    finally:
        server.should_exit = True
        thread.join()


def test_a_specification_is_opened_with_its_files(server: Served) -> None:
    import base64

    text = "datasets: {data: {p: 38, n: 262}}\nexperiments: {test: {dataset: data}}\n"
    text += "tables: [{file: t.csv, experiment: test}]\nclaims: [{best: B, by: acc}]\n"
    csv = base64.b64encode(b"Method,Acc,Sens\nA,0.9033,0.5263\nB,0.9,0.5\n").decode()
    status, said = server.post("/open", {"text": text, "files": {"t.csv": csv}})
    assert status == 200
    assert said["tables"][0]["part"]["grid"][1] == ["A", "0.9033", "0.5263"]
    assert said["rest"]["claims"] == [{"best": "B", "by": "acc"}]
    again = {**said["rest"], "tables": [table["part"] for table in said["tables"]]}
    assert server.post("/look", again)[0] == 200


def test_a_report_ends_when_who_asked_leaves(server: Served) -> None:
    for _ in range(6):  # more than there are processes
        with server.stream("/reports", SLOW) as told:
            assert "progress" in next(told)
    with server.stream("/reports", SPECIFICATION) as told:
        assert [*told][-1]["verdict"] == "inconsistent"


def test_a_dead_worker_costs_one_answer(server: Served) -> None:
    server.post("/look", SPECIFICATION)
    told: list[Any] = []

    def listen() -> None:
        with server.stream("/reports", SLOW) as lines:
            told.extend(lines)

    listener = threading.Thread(target=listen)
    listener.start()
    while listener.is_alive():  # it may wait for a process at first
        listener.join(1)
        for child in below(server.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
    assert "ended unexpectedly" in told[-1]["error"]
    assert server.post("/look", SPECIFICATION)[0] in (200, 422)  # its process may have been the one
    assert server.post("/look", SPECIFICATION)[0] == 200


def test_many_at_once_are_all_answered(server: Served) -> None:
    """Two hundred questions of fifty tabs beside ten slow checks: every one gets an answer, memory stays bounded."""
    slow = contextlib.ExitStack()
    for _ in range(10):
        next(slow.enter_context(server.stream("/reports", SLOW)))
    answers: list[tuple[int, str]] = []

    def ask(number: int) -> None:
        status, said = server.post("/look", SPECIFICATION, **{"x-tab": f"{number % 50:08x}"})
        answers.append((status, said.get("verdict") or said["error"]))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(200)]
    for thread in threads:
        thread.start()
    used = 0.0
    while any(thread.is_alive() for thread in threads):
        used = max(used, sum(map(megabytes, [server.process.pid, *below(server.process.pid)])))
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    assert len(answers) == 200
    # a busy machine may leave a glance undecided; an answer it is
    assert set(answers) <= {(200, "inconsistent"), (200, "undecided"), (409, "cancelled")}
    assert len([one for one in answers if one[0] == 200]) >= 50  # the last question of every tab
    assert used < 2500
    assert len(below(server.process.pid)) <= 8
    slow.close()


def test_two_tabs_do_not_disturb_each_other(server: Served) -> None:
    slow: list[int] = []
    thread = threading.Thread(target=lambda: slow.append(server.post("/look", SLOW, **{"x-tab": "a" * 16})[0]))
    thread.start()
    assert server.post("/look", SPECIFICATION, **{"x-tab": "b" * 16})[0] == 200
    thread.join()
    assert slow in ([200], [422])  # answered, or too slow while typing; never cancelled by the other tab


def test_ctrl_c_ends_everything(tmp_path: Path) -> None:
    with serving(TMPDIR=str(tmp_path)) as served:
        served.enter()
        served.post("/look", SPECIFICATION)
        slow = served.stream("/reports", SLOW)
        next(slow.__enter__())
        children = below(served.process.pid)
        assert children
        assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o700]
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(20) == 0
    assert not list(tmp_path.iterdir())
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


@pytest.mark.parametrize(
    ("options", "password", "words"),
    [
        (["--host", "0.0.0.0"], "", "--remote and a password"),
        (["--host", "0.0.0.0", "--remote"], "", "--password-file"),
        (["--host", "0.0.0.0", "--remote"], "short", "at least 8"),
    ],
)
def test_other_machines_need_a_flag_and_a_password(
    options: list[str], password: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREPROOF_PASSWORD", password)
    with pytest.raises(SystemExit) as end:
        main(["serve", *options])
    assert end.value.code == 2
    assert words in capsys.readouterr().err


def test_a_password_opens_the_door_to_other_machines() -> None:
    with serving("--host", "0.0.0.0", "--remote", SCOREPROOF_PASSWORD="correct horse") as served:
        assert "token" not in served.address
        port = served.place.split(":")[1]
        served.address = f"http://127.0.0.1:{port}/"
        assert served.ask("GET", "/")[1]["location"] == "/login"
        assert served.ask("GET", "/words")[0] == 403
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert served.ask("POST", "/login", b"password=wrong", form)[0] == 403
        status, headers, _ = served.ask("POST", "/login", b"password=correct+horse", form)
        assert status == 303
        served.cookie = headers["set-cookie"].split(";")[0]
        assert served.post("/look", SPECIFICATION)[0] == 200
