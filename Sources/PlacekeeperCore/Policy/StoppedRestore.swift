import PlacekeeperArchive

/// A stop of restores: archives that one version of an app saved are not served to devices with another version.
package struct StoppedRestore: Sendable, Hashable, Codable {
    package enum Origin: String, Sendable, Codable {
        case administrator, breaker
    }

    /// The bundle version that saved the archive. Nil for all versions. A missing bundle version counts as 0.
    package var sourceVersion: String?
    /// The bundle version of the requesting device. Nil for all versions.
    package var targetVersion: String?
    /// The name of the requesting device's idiom.
    package var idiom: String
    /// When the stop ends, in milliseconds since 1970. Nil if it doesn't end by itself.
    package var until: Int64?
    package var by: Origin

    package init(
        sourceVersion: String?, targetVersion: String?, idiom: String, until: Timestamp? = nil, by: Origin
    ) {
        self.sourceVersion = sourceVersion
        self.targetVersion = targetVersion
        self.idiom = idiom
        self.until = until?.milliseconds
        self.by = by
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        sourceVersion = try members.decodeIfPresent(String.self, forKey: .sourceVersion)
        targetVersion = try members.decodeIfPresent(String.self, forKey: .targetVersion)
        idiom = try members.decode(String.self, forKey: .idiom)
        until = try members.decodeIfPresent(Int64.self, forKey: .until)
        by = try members.decodeIfPresent(Origin.self, forKey: .by) ?? .administrator
    }

    enum CodingKeys: CodingKey {
        case sourceVersion, targetVersion, idiom, until, by
    }

    /// Says which restores the stop concerns, such as `archives of version 41 on a phone with any version`.
    package var text: String {
        func version(_ version: String?) -> String { version.map { "version " + $0 } ?? "any version" }
        return "archives of \(version(sourceVersion)) on a \(idiom) with \(version(targetVersion))"
    }

    /// Returns whether the stop has ended. The breaker's stops last a day at most; if the end is much further off, the
    /// clock was ahead when the stop began, and the stop counts as over.
    package func isOver(at now: Timestamp) -> Bool {
        guard let until = until.map(Timestamp.init(milliseconds:)) else { return false }
        return until <= now || by == .breaker && (until - RestoreBreaker.longStopTime).isAhead(of: now)
    }

    /// Returns whether the stop applies to an archive with the context `source` and a device with the context `target`.
    /// It may already be over.
    package func concerns(_ source: Context, _ target: Context) -> Bool {
        idiom == target.idiom.name
            && (sourceVersion.map { DottedVersion($0) == DottedVersion(source.bundleVersion) } ?? true)
            && (targetVersion.map { DottedVersion($0) == DottedVersion(target.bundleVersion) } ?? true)
    }
}

extension App.Settings {
    /// Decides at which fidelity a device with the context `asked` may restore an archive, by the policy and the
    /// stopped restores. The same input always leads to the same verdict.
    package func evaluate(
        _ candidate: RestoreCandidate, for asked: Context, at now: Timestamp
    ) -> CompatibilityPolicy.Verdict {
        var verdict = policy.evaluate(candidate, for: asked, at: now)
        if stoppedRestores.contains(where: { !$0.isOver(at: now) && $0.concerns(candidate.context, asked) }) {
            verdict.fidelity = nil
            verdict.reasons.append(
                Reason(
                    .restoresStopped, archive: candidate.context.bundleVersion, required: asked.bundleVersion,
                    blocks: .place))
        }
        return verdict
    }

    /// Returns the last time at which the verdict on this archive, and on all newer ones, is the same as at `now`. Nil
    /// if the verdict never changes.
    package func lastMoment(of archive: Archive, at now: Timestamp) -> Timestamp? {
        let ends = stoppedRestores.lazy.filter { !$0.isOver(at: now) }.compactMap(\.until)
        let end = ends.min().map { Timestamp(milliseconds: $0 - 1) }
        guard let end else { return policy.lastMoment(of: archive) }
        return policy.lastMoment(of: archive).map { min($0, end) } ?? end
    }
}
