// Small drawings. Each has a text beside it, so people with a screen reader do not need them.

import { lookUp, s } from "./dom.js";

const paths = {
  phone: "M7 2.5h6a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 16V4A1.5 1.5 0 0 1 7 2.5zM9 15h2",
  pad: "M4.5 3h11A1.5 1.5 0 0 1 17 4.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15.5v-11A1.5 1.5 0 0 1 4.5 3zM9 14.5h2",
  mac: "M4 4h12v8.5H4zM2 15.5h16",
  watch: "M7 6.5V3h6v3.5M7 13.5V17h6v-3.5M6 6.5h8v7H6z",
  tv: "M2.5 4h15v10h-15zM7 17h6",
  vision: "M3 7.5C5 6 15 6 17 7.5c1 2 .5 6-2 6-2 0-3-1.5-5-1.5s-3 1.5-5 1.5c-2.5 0-3-4-2-6z",
  carPlay: "M3.5 11.5l1.5-5h10l1.5 5v4h-13zM3.5 11.5h13M6 13.5h.01M14 13.5h.01",
  unspecified: "M5 5h10v10H5z",
  overview: "M3.5 16.5v-6M8 16.5v-13M12.5 16.5v-9M17 16.5v-4",
  health: "M2.5 10.5h3.5l2-5 3.5 9 2-4h4",
  live: "M10 11.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6.5 13.5a5 5 0 0 1 0-7M13.5 6.5a5 5 0 0 1 0 7M4 16a8.5 8.5 0 0 1 0-12M16 4a8.5 8.5 0 0 1 0 12",
  users: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c0-3.5 2.5-5 6-5s6 1.5 6 5",
  start: "M5 3.5v13M5 4h10l-2.5 3.5L15 11H5",
  settings: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  audit: "M5 3h10v14H5zM7.5 7h5M7.5 10h5M7.5 13h3",
  about: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v5M10 6.200v.1",
  display: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM10 2.5v15M10 6h6M10 10h7.5M10 14h6",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  apps: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z",
};

/** Draws an icon of 20 by 20 units. */
export function icon(name) {
  return s("svg.glyph", { viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: lookUp(paths, name) ?? paths.unspecified, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linejoin": "round", "stroke-linecap": "round" }));
}

/** Draws the mark of the service, as mark.svg has it. The browser would load that file twice: as the icon, and here. */
export function mark(size) {
  const blue = "#3451b2";
  return s("svg", { viewBox: "0 0 40 40", width: size, height: size, "aria-hidden": "true" },
    s("rect", { width: 40, height: 40, rx: 9, fill: blue }),
    s("path", { d: "M12 8h16a2 2 0 0 1 2 2v22l-10-6.5L10 32V10a2 2 0 0 1 2-2z", fill: "#fff" }),
    s("path", { d: "M15 15h10M15 19.5h6", stroke: blue, "stroke-width": "2.4", "stroke-linecap": "round" }));
}
