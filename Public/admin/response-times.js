// The response times of the requests that devices send most, of all apps together.

import { chart, total } from "./charts.js";
import { h, lookUp } from "./dom.js";
import { number } from "./formats.js";
import { empty, panel } from "./panels.js";
import { table } from "./tables.js";
import { plain } from "./texts.js";

const operations = {
  storeArchive: "Upload", readLatest: "Latest archive", reportOutcome: "Outcome", changeItems: "Changes of items", registerDevice: "Registration",
};

export const timesPanel = (load, signal) => panel({
  title: "Response times of the service", signal, skeleton: "chart", load, name: "latency",
  note: "All apps together, and not only this app: from a whole request to the start of its response. The grouping and the filters do not apply.",
  show: ({ from, columnHours, latency }) => {
    const { boundsMicroseconds: bounds = [], routes = [], series = [] } = latency ?? {};
    if (!series.some((counts) => counts.some((count) => count > 0))) return empty("No requests in this period");
    const drawn = bands(series, bounds);
    return [
      table({
        caption: "Response times by request",
        columns: [{ title: "Request", isHead: true }, ...["Requests", "p50", "p95", "p99"].map((title) => ({ title, isNumber: true }))],
        rows: routes.map(({ operation, route, counts }) => [
          lookUp(operations, operation) ?? plain(route), number(total(counts)),
          ...[0.5, 0.95, 0.99].map((share) => timeText(percentile(counts, share), bounds)),
        ]),
      }),
      h("p.quiet.hint", null, "p95 ≤ 5 ms: at least 95 % of the responses took at most 5 ms."),
      chart({ title: "Requests by response time", noun: "requests", from, columnHours, series: drawn, order: drawn.map(({ group }) => group) }),
    ];
  },
});

/** Returns the first bucket up to which a share of the counts lies, or -1 without counts. */
export function percentile(counts, share) {
  const wanted = Math.ceil(total(counts) * share);
  let sum = 0;
  return wanted ? counts.findIndex((count) => (sum += count) >= wanted) : -1;
}

/** Says how long the responses of a bucket took: `≤ 2.5 ms`, `> 1 s`. */
function timeText(bucket, bounds) {
  if (bucket < 0) return "–";
  const bound = bounds[Math.min(bucket, bounds.length - 1)];
  return `${bucket < bounds.length ? "≤" : ">"} ${bound < 1_000_000 ? `${bound / 1000} ms` : `${bound / 1_000_000} s`}`;
}

/** Adds up neighboring buckets, because a chart has at most six colors. */
function bands(series, bounds) {
  const each = Math.ceil(series.length / 6);
  const starts = Array.from({ length: Math.ceil(series.length / each) }, (_, index) => index * each);
  return starts.map((start, index) => {
    const buckets = series.slice(start, start + each);
    const group = timeText(start + buckets.length - 1, bounds);
    return {
      group, label: group, color: ["good", "series-3", "accent", "poor", "bad", "worst"][index],
      counts: buckets[0].map((_, column) => buckets.reduce((sum, counts) => sum + counts[column], 0)),
    };
  });
}
