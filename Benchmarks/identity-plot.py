"""Plots the cost of identity by the size of a list: python3 identity-plot.py identity.json OUT.svg"""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 680, 320, 60, 48, 40, 190
SERIES = [
    ("reference", "µs to resolve a reference", "#1f6feb"),
    ("delta", "µs per item of a delta", "#bf3989"),
]


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = json.load(file)
    top = max(5, math.ceil(max(row[name] for row in rows for name, _, _ in SERIES) / 5) * 5)
    first, last = math.log10(rows[0]["items"]), math.log10(rows[-1]["items"])

    def x(items):
        return LEFT + (math.log10(items) - first) / max(last - first, 1) * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        "<title>The cost of identity by the size of a user's list</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for step in range(0, top + 1, max(1, top // 5)):
        lines.append(f'<path d="M{LEFT} {y(step):.1f}H{WIDTH - RIGHT}" stroke="#d0d7de"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(step) + 4:.1f}" text-anchor="end" fill="#57606a">{step}</text>')
    for row in rows:
        lines.append(
            f'<text x="{x(row["items"]):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#57606a">'
            f'{row["items"]:,}</text>'
        )
    lines.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle" fill="#24292f">'
        "items of a user's list, ten devices</text>"
    )
    lines.append(f'<text x="{LEFT}" y="{TOP - 18}" fill="#24292f">microseconds</text>')
    for name, label, color in SERIES:
        points = " ".join(f'{x(row["items"]):.1f},{y(row[name]):.1f}' for row in rows)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        for row in rows:
            lines.append(f'<circle cx="{x(row["items"]):.1f}" cy="{y(row[name]):.1f}" r="3" fill="{color}"/>')
        end = rows[-1]
        lines.append(f'<text x="{x(end["items"]) + 8:.1f}" y="{y(end[name]) + 4:.1f}" fill="{color}">{label}</text>')
    lines.append("</svg>\n")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
