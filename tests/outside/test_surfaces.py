"""Settings have one name and one default wherever they are met: functions, command line, specification, tools, page."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import typer

import scoreproof as sp
from scoreproof.claims import CLAIMS
from scoreproof.claims.recheck import settings_of_claim
from scoreproof.cli.app import _COMMANDS, app
from scoreproof.insight.reconstructing import reconstruct
from scoreproof.papers.specification import schema
from scoreproof.papers.specification.model import STATED
from scoreproof.reported.conventions import Conventions, Stated, conventions
from scoreproof.serve.application import offered
from scoreproof.validation import Notation

SOURCE = Path(sp.__file__).parent
FUNCTIONS = (sp.check, sp.power, reconstruct, sp.reinterpret, sp.batch, sp.report)


def commands() -> dict[str, Any]:
    for module in dict.fromkeys(_COMMANDS.values()):
        importlib.import_module(f"scoreproof.cli.{module}")
    group: Any = typer.main.get_command(app)
    context = group.context_class(group, info_name="scoreproof")
    return {name: group.get_command(context, name) for name in group.list_commands(context)}


def test_the_keywords_are_the_fields() -> None:
    assert list(Stated.__annotations__) == list(conventions()) == list(Conventions.__dataclass_fields__)
    assert all(setting.doc for setting in conventions().values())


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_functions_have_the_names_and_defaults(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    shared = [name for name in conventions() if name in parameters and (name, function) != ("digits", sp.power)]
    assert "rounding" in shared
    for name in shared:
        assert parameters[name].default == conventions()[name].default, name


def test_commands_have_the_names_and_defaults() -> None:
    met = set()
    for name in ("check", "batch", "catalog", "power", "reconstruct", "reinterpret"):
        options = {option.name: option for option in commands()[name].params}
        for setting in conventions().values():
            option = options.get(setting.name)
            if option is None or (name, setting.name) == ("power", "digits"):
                continue
            met.add(setting.name)
            assert f"--{setting.name.replace('_', '-')}" in option.opts
            usual = (
                None
                if setting.form in (Notation.PER_SCORE, Notation.NAMED, Notation.NAMED_SEVERAL)
                else setting.default
            )
            assert option.default == usual, (name, setting.name)
    assert met == set(conventions())


def test_a_specification_has_the_names() -> None:
    fields = schema()["$defs"]["OptionsModel"]["properties"]
    assert set(fields) == {*STATED, "brackets"}
    for name in STATED:
        assert fields[name]["description"] == conventions()[name].doc
        assert fields[name]["default"] is None, "what is not said is as elsewhere"


def test_tools_have_the_names_and_defaults() -> None:
    pytest.importorskip("mcp")
    from scoreproof.serve import assistant

    for tool, names in (
        (assistant._check, conventions()),
        (assistant._explain, conventions()),
        (assistant._audit, STATED),
    ):
        parameters = inspect.signature(assistant._telling(tool, tuple(names))).parameters
        for name in names:
            assert parameters[name].default == conventions()[name].default


def test_claims_are_the_same_everywhere() -> None:
    group = commands()["claim"]
    context = group.context_class(group, info_name="claim")
    forms = {form["properties"]["claim"]["const"]: form for form in schema()["$defs"]["ClaimModel"]["anyOf"][1:]}
    for name in CLAIMS:
        own = settings_of_claim(name)
        options = {option.name for option in group.get_command(context, name.replace("_", "-")).params}
        assert options - {"certificate", "as_json", "help"} == set(own)
        assert set(forms[name]["properties"]) - {"claim", "text", "where", "table", "by"} == set(own)
        assert [field["name"] for field in offered()["claims"][name]] == list(own)
        assert all(setting.doc for setting in own.values())


def test_the_form_of_the_page_offers_what_there_is() -> None:
    page = (SOURCE / "serve" / "page" / "index.html").read_text(encoding="utf-8")
    assert "{{rounding}}" in page
    assert offered()["rounding"] == list(conventions()["rounding"].choices)


def test_functions_have_at_most_twelve_parameters() -> None:
    long = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                if len(given.posonlyargs + given.args + given.kwonlyargs) > 12:
                    long.add(node.name)
    assert long == set()


def test_every_help_has_groups_and_an_example() -> None:
    for name, command in commands().items():
        if name != "claim":  # a group of commands, whose help shows how they are called
            assert re.search(r"Examples?:\s+scoreproof ", command.help), name
        own = [option for option in command.params if option.param_type_name == "option" and option.name != "help"]
        loose = [option.name for option in own if getattr(option, "rich_help_panel", None) is None]
        assert len(loose) <= 4 or len(own) <= 8, (name, loose)


def test_flags_are_shown_as_flags() -> None:
    for command in commands().values():
        for option in command.params:
            assert not getattr(option, "is_flag", False) or option.metavar == "", option.name
