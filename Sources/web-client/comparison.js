// Whether two places show the same.

/** Whether two states show the same. A book that has not loaded yet has no progress. */
export function showsSame(text, other) {
    if (text === other) return true;
    if (shownBy(text) !== shownBy(other)) return false;
    const [steps, others] = [text, other].map(place => JSON.parse(place).steps);
    return steps.every(({ progress }, index) => (progress ?? others[index].progress) === (others[index].progress ?? progress));
}

export const isAtPlace = (text, other) => shownBy(text, true) === shownBy(other, true);

/**
 * Returns a text that is equal for two states with the same screens, items and parameters. Titles, scroll positions, the
 * progress, the layout and versions may differ. With `isPlace`, values that belong to no screen may differ, too.
 */
export function shownBy(text, isPlace) {
    let place;
    try { place = JSON.parse(text); } catch { return text; }
    const references = place.references ?? [];
    const steps = (place.steps ?? []).map(step => {
        const parameters = { ...step.parameters };
        if (isPlace) delete parameters["placekeeper.values"];
        const shown = (step.references ?? []).filter(index => !isScrolling({ $reference: index }));
        return [step.screen, shown.map(item), normal(parameters)];
    });
    return JSON.stringify(steps);

    function item(index) {
        const { dataSource, role, identifier, aliases } = references[index] ?? {};
        return [dataSource, role, identifier ?? [...aliases ?? []].sort()];
    }

    function isScrolling(value) {
        if (Array.isArray(value)) return value.length > 0 && value.every(isScrolling);
        return references[value?.$reference]?.role === "firstVisible";
    }

    function normal(value) {
        if (Array.isArray(value)) return value.filter(member => !isScrolling(member)).map(normal);
        if (value === null || typeof value !== "object") return value;
        if (Object.hasOwn(value, "$reference")) return { $reference: item(value.$reference) };
        const keys = Object.keys(value).filter(key => !isScrolling(value[key])).sort();
        return Object.fromEntries(keys.map(key => [key, normal(value[key])]));
    }
}
