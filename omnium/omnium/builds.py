"""The commit and the CI run that a command comes from, as the usual variables name them: for the audit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

#: What is written → the variables that may hold it, first come first taken.
VARIABLES: Final = {
    "commit": ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "CIRCLE_SHA1"),
    "branch": ("GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH", "BUILDKITE_BRANCH", "CIRCLE_BRANCH"),
    "run": ("GITHUB_RUN_ID", "CI_PIPELINE_ID", "BUILD_ID", "BUILDKITE_BUILD_ID", "CIRCLE_WORKFLOW_ID"),
    "url": ("CI_PIPELINE_URL", "BUILD_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL"),
}


def build_facts(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What is known of the build."""
    found = {
        fact: next((environment[name] for name in names if environment.get(name)), "")
        for fact, names in VARIABLES.items()
    }
    found["url"] = found["url"] or _github_url(environment)
    return {fact: value for fact, value in found.items() if value}


def _github_url(environment: Mapping[str, str]) -> str:
    """The page of a run at GitHub, which names its parts only."""
    parts = [environment.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID")]
    return "{}/{}/actions/runs/{}".format(*parts) if all(parts) else ""
