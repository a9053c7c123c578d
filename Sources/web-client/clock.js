// Readings of the clocks, and the time between them.

/** A number within limits, or `otherwise` instead of what is no finite number. */
export const clamp = (number, least, most, otherwise) =>
    Number.isFinite(number) ? Math.min(Math.max(number, least), most) : otherwise;

/** A duration in seconds, of ten years at most. */
export const duration = seconds => clamp(seconds, 0, 3650 * 86_400, 0);

/**
 * The seconds from a reading of the clocks to a later one. Within a page, the wall clock adds the time that the device
 * slept, during which `performance.now()` stands still in some browsers. Across pages, only the wall clock is left.
 */
export function ageOf(reading, now) {
    const wall = now.wall - reading?.wall;
    return duration(reading?.page === now.page ? Math.max(now.uptime - reading.uptime, wall) : wall);
}

export const uptime = () => performance.now() / 1000;

export const now = ({ _page: page }) => ({ wall: Date.now() / 1000, uptime: uptime(), page });

export const sleep = seconds => new Promise(resolve => { setTimeout(resolve, seconds * 1000); });
