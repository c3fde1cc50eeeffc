"""Generate `omnium_proto` from the `.proto` files; `--check` says whether the committed code differs."""

from __future__ import annotations

import argparse
import filecmp
import re
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).parent
TARGET = HERE / "omnium_proto"
SOURCES = "omnium"
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def generate(target: Path) -> None:
    """Write the generated modules of every `.proto` file into `target`."""
    with tempfile.TemporaryDirectory() as scratch:
        run_protoc(Path(scratch))
        for pattern in GENERATED:
            for module in sorted(Path(scratch).rglob(pattern)):
                (target / module.name).write_text(with_flat_imports(module.read_text()))


def run_protoc(out: Path) -> None:
    """Run protoc with the message, mypy and gRPC outputs. Ends the program if it fails."""
    protos = [str(p.relative_to(HERE)) for p in sorted((HERE / SOURCES).rglob("*.proto"))]
    outputs = [f"--{kind}_out={out}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    include = str(resources.files("grpc_tools") / "_proto")
    if protoc.main(["protoc", f"-I{HERE}", f"-I{include}", *outputs, *protos]) != 0:
        sys.exit("protoc failed; its messages are above")


def with_flat_imports(source: str) -> str:
    """The module with imports of `omnium.command.v1` rewritten to `omnium_proto`."""
    source = re.sub(r"\bfrom omnium\.command\.v1 import", "from omnium_proto import", source)
    source = re.sub(r"\bimport omnium\.command\.v1\.(\w+)", r"import omnium_proto.\1", source)
    return re.sub(r"\bomnium\.command\.v1\.(\w+_pb2)", r"omnium_proto.\1", source)


def drift() -> list[str]:
    """Names of committed modules that generating again would change."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate(fresh)
        names = {p.name for pattern in GENERATED for folder in (fresh, TARGET) for p in folder.glob(pattern)}
        _, changed, missing = filecmp.cmpfiles(fresh, TARGET, sorted(names), shallow=False)
        return sorted([*changed, *missing])


def main() -> None:
    """Generate, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if something would change"
    )
    if parser.parse_args().check:
        if changed := drift():
            sys.exit(f"generated code differs: {', '.join(changed)}; run `make proto`")
        return
    for pattern in GENERATED:
        for old in TARGET.glob(pattern):
            old.unlink()
    generate(TARGET)


if __name__ == "__main__":
    if shutil.which("protoc-gen-mypy") is None:
        sys.exit("protoc-gen-mypy is not on the path: run this through `make proto`")
    main()
