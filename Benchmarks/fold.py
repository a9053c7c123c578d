#!/usr/bin/env python3
"""Folds the stacks of a profile: a line for each stack, from the outermost frame, with the number of samples.

    perf script -i FILE -F comm,tid,ip,sym,dso | fold.py [--top 25] > FOLDED

The functions with the most samples are written to standard error. Names of Swift are demangled if swift-demangle exists.
"""
import argparse, collections, re, shutil, subprocess, sys

FRAME = re.compile(r"\s+[0-9a-f]+ (.*?) \((.*)\)$")


def demangled(names):
    if not shutil.which("swift-demangle"):
        return dict(zip(names, names))
    text = subprocess.run(["swift-demangle", "-compact", "-simplified"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, text.split("\n")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=25)
    options = parser.parse_args()
    stacks, stack = collections.Counter(), []
    for line in sys.stdin:
        if frame := FRAME.match(line):
            name, library = frame.groups()
            # A library without symbols counts as one function.
            stack.append(f"[{library.rsplit('/', 1)[-1]}]" if name == "[unknown]" else name)
        elif stack:
            stacks[tuple(reversed(stack))] += 1
            stack = []
    if stack:
        stacks[tuple(reversed(stack))] += 1
    if not stacks:
        sys.exit("The profile has no samples.")
    names = demangled(sorted({name for stack in stacks for name in stack}))
    own = collections.Counter()
    for stack, count in sorted(stacks.items()):
        print(";".join(names[name].replace(";", ",") for name in stack), count)
        own[stack[-1]] += count
    total = sum(stacks.values())
    for name, count in own.most_common(options.top):
        print(f"{100 * count / total:5.1f} %  {names[name][:110]}", file=sys.stderr)


if __name__ == "__main__":
    main()
