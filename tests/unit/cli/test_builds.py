"""The commit and the CI run, as the usual variables name them."""

from __future__ import annotations

import pytest

from omnium.builds import build_facts


@pytest.mark.parametrize(
    ("variables", "facts"),
    [
        ({}, {}),
        ({"GITHUB_SHA": "", "GIT_COMMIT": "abc"}, {"commit": "abc"}),
        (
            {"CI_COMMIT_SHA": "abc", "CI_PIPELINE_ID": "7", "CI_PIPELINE_URL": "https://ci.example/7"},
            {"commit": "abc", "run": "7", "url": "https://ci.example/7"},
        ),
        (
            {"GITHUB_SHA": "abc", "GITHUB_RUN_ID": "7", "GITHUB_REF_NAME": "main",
             "GITHUB_SERVER_URL": "https://git.example", "GITHUB_REPOSITORY": "fans/omnium"},
            {"commit": "abc", "run": "7", "branch": "main",
             "url": "https://git.example/fans/omnium/actions/runs/7"},
        ),
        ({"BUILD_ID": "12", "BUILD_URL": "https://ci.example/12"}, {"run": "12", "url": "https://ci.example/12"}),
        ({"GITHUB_RUN_ID": "7"}, {"run": "7"}),
    ],
)  # fmt: skip
def test_what_ci_says_of_itself_is_picked_up(variables: dict[str, str], facts: dict[str, str]) -> None:
    assert build_facts(variables) == facts
