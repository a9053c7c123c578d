"""Checks .github/workflows: GitHub's schema, the syntax of each line for a shell, and the jobs of ci.yml."""

import pathlib
import re
import subprocess
import sys

from ruamel.yaml import YAML

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 15
faults = []
workflows = {path.name: YAML(typ="safe").load(path) for path in sorted((TOP / ".github/workflows").glob("*.yml"))}

for name, workflow in workflows.items():
    for job, content in workflow["jobs"].items():
        if "timeout-minutes" not in content:
            faults.append(f"{name}: the job {job} has no timeout-minutes")
        for step in content["steps"]:
            if "uses" in step and not re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]):
                faults.append(f"{name}: {step['uses']} is not an action of GitHub with a major version")
            # An expression is replaced before the shell starts.
            script = re.sub(r"\$\{\{.*?\}\}", "expression", step.get("run", ""))
            parsed = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            if parsed.returncode or parsed.stderr:
                faults.append(f"{name}, job {job}: {parsed.stderr.strip()}\n{script}")

checks = workflows["ci.yml"]["jobs"]["checks"]
groups = subprocess.run([TOP / ".ci/run", "--list"], capture_output=True, text=True, check=True).stdout.split()
if checks["strategy"]["matrix"]["group"] != groups:
    faults.append(f"ci.yml: the matrix must have exactly the groups of .ci/run, in their order: {', '.join(groups)}")
for job, content in workflows["ci.yml"]["jobs"].items():
    if content.get("timeout-minutes", 0) > LIMIT:
        faults.append(f"ci.yml: the job {job} may take more than {LIMIT} minutes: split its group in .ci/run")

# The workflow for a release prints the notes of the version before it builds anything.
version = re.search(r'static let number = "(.*)"', (TOP / "Sources/placekeeper/VersionCommand.swift").read_text())[1]
notes = [subprocess.run([TOP / "scripts/release-notes", number], capture_output=True, text=True) for number in (version, "999.0.0")]
if notes[0].returncode or not notes[0].stdout.strip():
    faults.append(f"scripts/release-notes {version}: {notes[0].stderr.strip()}")
if notes[1].returncode != 1 or notes[1].stdout:
    faults.append("scripts/release-notes must refuse a version that the sources do not have")

print("\n".join(faults) if faults else f"{len(workflows)} workflows are valid, and ci.yml has the {len(groups)} groups of .ci/run")
sys.exit(1 if faults else 0)
