#!/usr/bin/env python3
"""Holds a running service to openapi.yaml: every operation by every status and code that is described, each answer's
body, fields and content type against what is said of them, and nothing beside.

    Tests/OpenAPI/check.py BINARY        what it needs is in requirements.txt; .ci/openapi runs it
"""

import pathlib
import re
import sys

from contract import Contract
from description import Description
from service import Service
from walk import Walk

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Codes and fields that cannot be had from this machine at will, each with the Swift test that shows it.
ELSEWHERE = {
    "internal-error": ("PlacekeeperServerTests/ProblemTests", "internalError"),
    "overloaded": ("PlacekeeperServerTests/ProblemTests", "overloaded"),
    "store-failed": ("PlacekeeperServerTests/ProblemTests", "storeFailed"),
    # A data source may have a thousand decisions.
    "too-many-links": ("PlacekeeperServerTests/ProblemTests", "tooManyLinks"),
    # A device may register a million items.
    "too-many-items": ("PlacekeeperServerTests/ProblemTests", "tooManyItems"),
}


def missing_tests():
    """Tests that ELSEWHERE names and that are not there."""
    for what, (file, name) in ELSEWHERE.items():
        # A suite has a file of its own, and extensions in files such as `ProblemTests+Provoking.swift`.
        text = "".join(part.read_text() for part in (ROOT / "Tests").glob(file + "*.swift"))
        if "@Test" not in text or not re.search(rf"\b{name}\b", text):
            yield f"{what}: Tests/{file} does not test {name}"


def main(binary):
    text = (ROOT / "openapi.yaml").read_bytes()
    description = Description(text)
    service = Service(binary)
    contract = Contract(service, description)
    try:
        walk = Walk(contract)
        served = contract.call("readDescription", 200)
        if served.body != text:
            contract.faults.append("what is served is not openapi.yaml")
        walk.everything()
    finally:
        code, errors = service.stop()
    # What the store cannot do is logged; nothing else may be.
    if code != 0:
        contract.faults.append(f"the service ended with {code}: {errors}")
    faults = contract.faults + contract.unseen(set(ELSEWHERE)) + list(missing_tests())
    for fault in dict.fromkeys(faults):
        print(fault, file=sys.stderr)
    print(f"{len(description.operations)} operations, {len(contract.statuses)} statuses of them, "
          f"{len(contract.codes)} codes: {len(set(faults)) or 'no'} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
