"""Injects faults while devices use two instances of the service, and checks that no acknowledged write is lost."""

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter

import disks
import faults
import networks
import postgres
import replication
from processes import Failed

FAULTS = [*faults.FAULTS, *replication.FAULTS, *networks.FAULTS, *disks.FAULTS]


ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def end(number, _):
    """Ends the test. Another signal must not interrupt the end of the processes."""
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def show(text):
    """Shows progress in place, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run(fault, arguments, folder):
    """Runs the rounds of a fault, and returns the result."""
    bench = fault(os.path.abspath(arguments.binary), folder)
    rounds, problems = [], []
    began = time.monotonic()
    try:
        show(f"{fault.name}: starts")
        bench.set_up()
        for number in range(1, arguments.rounds + 1):
            show(f"{fault.name}: round {number} of {arguments.rounds}")
            rounds.append(bench.round(f"{arguments.seed}/{fault.name}/{number}"))
            if any("did not recover" in problem for problem in rounds[-1].problems):
                break
        if not fault.must_lose:
            show(f"{fault.name}: checks the data of all rounds again")
            for round_ in rounds:
                if not round_.losses:
                    round_.verify()
        problems += bench.tear_down()
    except (Failed, AssertionError) as error:
        problems.append(f"the test could not continue: {error}")
    finally:
        bench.kill()
        bench.clean_up()
        show("")
    return result(fault, bench, rounds, problems, time.monotonic() - began)


def grouped(texts):
    """Returns texts that differ only in revisions and identifiers as one text, with their number."""
    general = (re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=revision )\d+|(?<=although )\d+", "…", text) for text in texts)
    return [f"{count} times: {text}" for text, count in Counter(general).most_common(10)]


def result(fault, bench, rounds, problems, duration):
    losses = [loss for round_ in rounds for loss in round_.losses]
    late = [late for round_ in rounds for late in round_.measurements.late]
    problems = problems + [problem for round_ in rounds for problem in round_.problems]
    slowest = max((round_.measurements.slowest for round_ in rounds), default=(0, "none"))
    gap = lambda kind: round(max(
        (round_.longest_gap(getattr(round_.measurements, kind)) for round_ in rounds), default=0), 2)
    if fault.must_lose:
        # The losses show that the test detects losses.
        has_passed = bool(losses) and not problems
    else:
        has_passed = not losses and not late and not problems
    return {
        "fault": fault.name, "rounds": len(rounds), "passed": has_passed,
        "acknowledged": sum(round_.acknowledged for round_ in rounds),
        "unknown": sum(round_.unknown for round_ in rounds),
        "longestGap": gap("successes"), "longestWriteGap": gap("writes"),
        "longestRecovery": round(max(bench.recoveries, default=0), 2),
        "slowest": {"seconds": round(slowest[0], 2), "request": slowest[1]},
        "slowestRead": round(max((round_.measurements.slowest_read for round_ in rounds), default=0), 2),
        "losses": len(losses), "roundsWithLosses": sum(bool(round_.losses) for round_ in rounds),
        "late": len(late), "problems": len(problems),
        "answers": dict(sorted(sum((Counter(round_.measurements.counts) for round_ in rounds), Counter()).items())),
        "details": {
            name: grouped(texts) for name, texts in (("losses", losses), ("late", late), ("problems", problems))},
        "notes": bench.notes, "seconds": round(duration),
    }


def line(result, must_lose):
    """Returns the result as one line, and lines with the reasons of a failure."""
    text = (
        f"{'passed' if result['passed'] else 'FAILED'} {result['fault']}: {result['rounds']} rounds, "
        f"{result['acknowledged']} acknowledged writes, {result['unknown']} unknown, "
        f"{result['longestGap']} s longest without an answer ({result['longestWriteGap']} s without a write), "
        f"{result['late']} late "
        f"(slowest {result['slowest']['seconds']} s, slowest read {result['slowestRead']} s), "
        f"{result['longestRecovery']} s longest recovery, "
        f"{result['losses']} losses in {result['roundsWithLosses']} rounds")
    if must_lose:
        text += " (losses are required)"
    details = [] if result["passed"] else [
        f"  {name}: {detail}" for name, all_details in result["details"].items() for detail in all_details]
    return "\n".join([text, *details])


def main():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("binary", nargs="?")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", default=str(random.randrange(1 << 30)))
    parser.add_argument("--only", help="the names of the faults, separated by commas")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--keep", metavar="DIR", help="keep the logs and the data in this directory")
    parser.add_argument("--list", action="store_true", help="print the names of the faults")
    arguments = parser.parse_args()
    if arguments.list:
        for fault in FAULTS:
            print(f"{fault.name:22} {' '.join(fault.__doc__.split())}")
        return 0
    names = arguments.only.split(",") if arguments.only else [fault.name for fault in FAULTS]
    chosen = [fault for fault in FAULTS if fault.name in names]
    is_built = arguments.binary and os.access(arguments.binary, os.X_OK)
    if not is_built or len(chosen) < len(names) or arguments.rounds < 1:
        parser.error("name a binary that is built, faults of --list, and at least one round")
    if not postgres.programs():
        print("PostgreSQL is not installed (on Debian: apt-get install postgresql).", file=sys.stderr)
        return 69

    for number in ENDING:
        signal.signal(number, end)
    if not arguments.json:
        print(f"seed {arguments.seed}", flush=True)
    results, skipped = [], {}
    for fault in chosen:
        reason = fault.missing()
        if reason:
            skipped[fault.name] = reason
            print(f"skipped {fault.name}: {reason}", file=sys.stderr)
            continue
        folder = tempfile.mkdtemp(prefix=f"placekeeper-{fault.name}-", dir=arguments.keep)
        os.chmod(folder, 0o755)
        try:
            results.append(run(fault, arguments, folder))
        finally:
            if not arguments.keep:
                shutil.rmtree(folder, ignore_errors=True)
        print(line(results[-1], fault.must_lose), file=sys.stderr if arguments.json else sys.stdout, flush=True)
    if arguments.json:
        print(json.dumps({"seed": arguments.seed, "results": results, "skipped": skipped}, indent=2))
    has_failed = not results or not all(result["passed"] for result in results)
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
