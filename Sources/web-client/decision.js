// The decision of a launch, the same as in the Swift client.

/**
 * Decides which state a launch restores without asking, and which it offers. docs/clients.md describes the situation.
 * A state of this device is restored silently, and a state of another device is offered. A superseded state is never
 * restored without asking.
 */
export function decideLaunch({ local, localFault, remote, mode, isUnused, hasCrashedOften, dismissed, withheld }) {
    if (mode === "off") return { reason: "restoration-off" };
    let { restore, offer, reason } = answered();
    if ((mode === "offer" || hasCrashedOften) && restore) {
        if (!offer && !dismissed.includes(restore)) offer = { archive: restore };
        [restore, reason] = [undefined, mode === "offer" ? "restoration-offered" : "crashed"];
    }
    return { ...(restore && { restore }), ...(offer && { offer }), reason };

    function answered() {
        const isPending = local?.isPending === true, own = local && { archive: local.archive };
        switch (remote.kind) {
        case "notAsked":
        case "unavailable":
            if (local?.caution) return offered(own, local.caution);
            return { restore: local?.archive, reason: (local ? remote.reason : undefined) ?? localFault ?? remote.reason ?? "own-state" };
        // If the service deleted or refuses the state, this device does not restore it either. The service has never
        // received a pending state.
        case "nothingStored":
        case "incompatible":
            if (isPending) return { restore: local.archive, reason: remote.reason ?? "own-state" };
            return { reason: localFault ?? remote.reason ?? "nothing-stored" };
        case "notModified":
            if (remote.caution) return offered(own, remote.caution);
            return { restore: local?.archive, reason: localFault ?? (remote.isSuperseded ? "superseded" : "own-state") };
        default: return served(isPending);
        }
    }

    function served(isPending) {
        const { archive, isOwn, isSuperseded } = remote;
        const isDismissed = dismissed.includes(archive);
        const isViewOnly = local?.origin?.archive === archive && local.place === remote.place;
        if (remote.caution && (!isPending || isViewOnly)) return offered(remote, remote.caution);
        if (isOwn && !isSuperseded) {
            // A pending state is newer than every state of this device on the service. So is a view-only capture of the
            // served place.
            return { restore: isPending || isViewOnly ? local.archive : archive, reason: "own-state" };
        }
        if (isUnused && !isSuperseded && !isDismissed && mode === "auto") {
            return { restore: archive, reason: "fresh-installation" };
        }
        if (isDismissed || shows(archive)) {
            return { restore: local?.archive, reason: localFault ?? (isSuperseded ? "superseded" : "already-offered") };
        }
        const restore = local && !isPassedOver(local, remote) && !local.caution ? local.archive : undefined;
        if (restore && withheld.includes(archive)) return { restore, reason: "behind" };
        return { restore, offer: described(remote), reason: isSuperseded ? "superseded" : "other-device" };
    }

    /** Offers a state of this device instead of restoring it. */
    function offered(answer, reason) {
        if (!answer || dismissed.includes(answer.archive)) return { reason };
        return { offer: described({ ...answer, age: answer.age ?? (shows(answer.archive) ? local.age : undefined) }), reason };
    }

    function described({ archive, age }) { return age === undefined ? { archive } : { archive, age }; }

    function shows(archive) { return local?.archive === archive || local?.origin?.archive === archive; }
}

/** Whether the service refused this device's state and served an earlier archive instead. */
function isPassedOver(local, remote) {
    if (local.isPending || !remote.isSuperseded || local.archive === remote.archive) return false;
    const own = local.origin ? local.origin.revision : local.revision;
    if (own === undefined || remote.revision === undefined) return remote.isOwn;
    if (own === remote.head) return true;
    if (own <= remote.revision) return false;
    if (local.age === undefined || remote.age === undefined) return true;
    return local.age <= remote.age;
}

/** Whether the service knows this device's state and refuses to let the device restore it. */
export function isRefused(local, remote) {
    if (remote.kind === "served") return isPassedOver(local, remote);
    return ["incompatible", "nothingStored"].includes(remote.kind) && !local.isPending;
}
