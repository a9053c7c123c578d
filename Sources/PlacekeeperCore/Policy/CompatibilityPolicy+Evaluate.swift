import PlacekeeperArchive

extension CompatibilityPolicy {
    /// The fidelity at which an archive may be restored, and the reasons against more.
    package struct Verdict: Sendable, Hashable {
        /// Nil if the archive may not be restored at all.
        package var fidelity: Fidelity?
        package var reasons: [Reason]
    }

    /// Decides at which fidelity a device with the context `asked` may restore an archive. The same input always leads
    /// to the same verdict.
    package func evaluate(_ candidate: RestoreCandidate, for asked: Context, at now: Timestamp) -> Verdict {
        var reasons: [Reason] = []
        judgeMinimum(candidate.context, &reasons)
        judgeVersions(candidate.context, asked, &reasons)
        judgeAge(candidate.capturedAt, at: now, &reasons)
        judgeLayout(candidate.context, asked, &reasons)
        guard !reasons.isEmpty || asked.takesPlacesOnly else { return Verdict(fidelity: .full, reasons: []) }
        if !allowsPlace {
            reasons.append(Reason(.placeNotAllowed, blocks: .place))
        } else if !candidate.hasPlace {
            reasons.append(Reason(.noPlace, blocks: .place))
        }
        let isBlocked = reasons.contains { $0.blocks == .place }
        return Verdict(fidelity: isBlocked ? nil : .place, reasons: reasons)
    }

    /// Refuses an archive whose bundle version is below `minimumBundleVersion`, whatever the other settings are.
    private func judgeMinimum(_ archive: Context, _ reasons: inout [Reason]) {
        let saved = archive.bundleVersion
        guard let minimum = minimumBundleVersion, DottedVersion(saved) < DottedVersion(minimum) else { return }
        reasons.append(Reason(.bundleVersionBelowMinimum, archive: saved ?? "0", required: minimum, blocks: .place))
    }

    /// Compares state versions if both contexts have one; a refused state version also blocks the place.
    ///
    /// Otherwise compares bundle versions and system versions, which block only the full state
    /// (docs/decisions/0025-a-newer-version-gives-its-place.md). Such versions are comparable only within one platform,
    /// so the full state of an archive from another platform is refused too.
    private func judgeVersions(_ archive: Context, _ asked: Context, _ reasons: inout [Reason]) {
        if let saved = archive.stateVersion, let own = asked.stateVersion {
            let code: Reason.Code? =
                switch stateVersions {
                case .any: nil
                case .atMost: saved <= own ? nil : .stateVersionNewer
                case .exact: saved == own ? nil : .stateVersionDiffers
                }
            if let code { reasons.append(Reason(code, archive: "\(saved)", required: "\(own)", blocks: .place)) }
            return
        }
        guard archive.idiom.platform == asked.idiom.platform else {
            let (saved, own) = (archive.idiom.name, asked.idiom.name)
            reasons.append(Reason(.platformDiffers, archive: saved, required: own, blocks: .full))
            return
        }
        let (saved, own) = (archive.bundleVersion, asked.bundleVersion)
        if !allowsNewerBundleVersion, DottedVersion(saved) > DottedVersion(own) {
            reasons.append(Reason(.bundleVersionNewer, archive: saved ?? "0", required: own ?? "0", blocks: .full))
        }
        if !allowsNewerSystemVersion, let saved = archive.systemVersion, let own = asked.systemVersion,
            DottedVersion(saved).majorIsNewer(than: DottedVersion(own))
        {
            reasons.append(Reason(.systemVersionNewer, archive: saved, required: own, blocks: .full))
        }
    }

    /// Returns the last time at which the archive is not too old. Nil if the policy has no maximum age. Nothing else in
    /// a verdict depends on time, so the verdict can't change before then.
    func lastMoment(of archive: Archive) -> Timestamp? { maximumAge.map { archive.stateTime + $0.duration } }

    private func judgeAge(_ capturedAt: Timestamp, at now: Timestamp, _ reasons: inout [Reason]) {
        guard let maximum = maximumAge?.duration else { return }
        let age = now - capturedAt
        guard age > maximum else { return }
        let (given, allowed) = ("\(age.components.seconds)", "\(maximum.components.seconds)")
        reasons.append(Reason(.tooOld, archive: given, required: allowed, blocks: .place))
    }

    private func judgeLayout(_ archive: Context, _ asked: Context, _ reasons: inout [Reason]) {
        if archive.idiom != asked.idiom {
            let accepted = acceptedIdioms[asked.idiom.name] ?? []
            if !accepted.contains(archive.idiom.name) {
                let required = ([asked.idiom.name] + accepted).joined(separator: ", ")
                reasons.append(
                    Reason(.idiomNotAccepted, archive: archive.idiom.name, required: required, blocks: .full))
            }
        }
        if let saved = archive.layout, let own = asked.layout, saved != own {
            reasons.append(Reason(.layoutDiffers, archive: saved.name, required: own.name, blocks: .full))
        }
    }
}

extension Idiom {
    /// A group of idioms that run the same app with the same version numbers.
    fileprivate enum Platform { case unspecified, mobile, tv, carPlay, watch, mac, vision }

    fileprivate var platform: Platform {
        switch self {
        case .unspecified: .unspecified
        case .phone, .pad: .mobile
        case .tv: .tv
        case .carPlay: .carPlay
        case .watch: .watch
        case .mac: .mac
        case .vision: .vision
        }
    }
}
