"""Plots the devices that crashed after a bad release: python3 release-plot.py bad-release.json OUT.svg"""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 680, 320, 60, 48, 40, 170
COLOURS = {"off": "#bf3989", "stop": "#1f6feb"}
LABELS = {"off": "without the breaker", "stop": "with the breaker"}


def main(source, target):
    with open(source, encoding="utf-8") as file:
        runs = [run for run in json.load(file) if run["crashingShare"] == 0.4 and run["offlineShare"] == 0]
    top = max(2, math.ceil(math.log10(max(run["timeline"][-1] for run in runs))))
    hours = max(len(run["timeline"]) for run in runs) / 6

    def x(hour):
        return LEFT + hour / hours * (WIDTH - LEFT - RIGHT)

    def y(devices):
        return HEIGHT - BOTTOM - math.log10(max(1, devices)) / top * (HEIGHT - BOTTOM - TOP)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<title>Devices that crashed after a bad release</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(top + 1):
        line = y(10**power)
        lines.append(f'<path d="M{LEFT} {line:.1f}H{WIDTH - RIGHT}" stroke="#d0d7de"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{line + 4:.1f}" text-anchor="end" fill="#57606a">{10**power:,}</text>')
    for hour in range(0, int(hours) + 1, 6):
        lines.append(
            f'<text x="{x(hour):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#57606a">{hour}</text>'
        )
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle" fill="#24292f">'
        "hours after the release</text>"
    )
    lines.append(f'<text x="{LEFT}" y="{TOP - 18}" fill="#24292f">devices that crashed, of {runs[0]["devices"]:,}</text>')
    for run in runs:
        color = COLOURS[run["breaker"]]
        points = " ".join(
            f"{x((index + 1) / 6):.1f},{y(devices):.1f}" for index, devices in enumerate(run["timeline"])
        )
        end = run["timeline"][-1]
        lines.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        lines.append(
            f'<text x="{WIDTH - RIGHT + 8}" y="{y(end) + 4:.1f}" fill="{color}">'
            f'{end:,} {LABELS[run["breaker"]]}</text>'
        )
    lines.append("</svg>\n")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
