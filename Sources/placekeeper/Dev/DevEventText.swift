import PlacekeeperCore
import PlacekeeperService

/// An event in plain words, for an app's developer.
struct DevEventText: Sendable, Hashable {
    /// The raw value is the color's number on a terminal (ECMA-48).
    enum Tone: Int, Sendable { case plain = 39, good = 32, partial = 33, bad = 31 }

    var text: String
    var tone = Tone.plain

    /// An answer to a device that asked for a state.
    ///
    /// - Parameters:
    ///   - reasons: the reasons against the newest archive, or against restoring its full state.
    ///   - newest: the newest archive. Nil if it has been deleted since.
    ///   - served: the served archive. Nil if none was served, or if it has been deleted since.
    init(_ answer: RestoreAnswer, _ reasons: [Reason], by name: String, newest: Archive?, served: Archive?) {
        // A caution doesn't block the archive: the app offers the newest archive instead of restoring it.
        let cautions = reasons.filter { $0.blocks == .automatic }.map { escapedForTerminal($0.text) }.joined(
            separator: ", and ")
        let why = reasons.filter { $0.blocks != .automatic }.map { escapedForTerminal($0.text) }.joined(
            separator: ", and ")
        let refusal = "\(newest.told) is refused: \(why)"
        guard let fidelity = answer.served?.fidelity else {
            self.init(text: "\(name) asked: got nothing. \(refusal)", tone: .bad)
            return
        }
        let isNewest = answer.candidates.count == 1
        var text = "\(name) asked: got \(served.told) \(fidelity == .full ? "in full" : "as a place")"
        if !isNewest { text += ". The newer \(refusal)" } else if !why.isEmpty { text += ", because \(why)" }
        let isOnlyOffered = isNewest && !cautions.isEmpty
        if isOnlyOffered { text += ". The app only offers it, because \(cautions)" }
        self.init(text: text, tone: isNewest && fidelity == .full && !isOnlyOffered ? .good : .partial)
    }

    /// An upload.
    ///
    /// - Parameter head: the head of the scene. Nil if unknown.
    init(stored entry: TimelineEntry, head: Archive?, by name: String) {
        let archive = entry.archive
        let failure = "\(name)'s upload of \(archive.told) did not become the head: "
        if entry.isHead {
            self.init(text: "\(name) saved \(archive.told)", tone: .good)
        } else if entry.isLate {
            let before = head.map { ($0.stateTime - archive.stateTime).inLargestUnit + " before it" } ?? "before it"
            self.init(text: failure + "captured \(before)", tone: .partial)
        } else if entry.isViewOnly, archive.capturedAt == .belowAllWork {
            self.init(text: failure + "it is a first screen without an interaction, below all work", tone: .partial)
        } else if entry.isViewOnly {
            self.init(text: failure + "it repeats a restored state without an interaction", tone: .partial)
        } else {
            self.init(text: "\(name) saved \(archive.told). The head is a newer state", tone: .partial)
        }
    }

    /// A report of a restore's outcome.
    init(_ outcome: Outcome, of entry: TimelineEntry, by name: String) {
        let place = entry.archive.told
        let context = outcome.context
        switch outcome.result {
        case .began: self.init(text: "\(name) begins to restore \(place)")
        case .restored: self.init(text: "\(name) restored \(place)", tone: .good)
        case .abandoned: self.init(text: "\(name) discarded \(place)", tone: .partial)
        case .failed, .crashed:
            let verb = outcome.result == .failed ? "could not restore" : "crashed while it restored"
            var text = "\(name) \(verb) \(place)"
            let details = outcome.details
            if let spot = details.path ?? details.step.map({ "step \($0)" }) {
                text += " at \(escapedForTerminal(spot))"
            }
            if case .quarantined = RestoreEligibility(
                after: entry.outcomes, madeBy: nil, for: outcome.device, in: context)
            {
                let version = context.bundleVersion.map(escapedForTerminal) ?? "without a version"
                text += ": quarantined for \(context.idiom.name) \(version)"
            }
            self.init(text: text, tone: .bad)
        }
    }

    init(text: String, tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }
}

extension Archive? {
    /// The titles of the place, such as `Lisbon › Tram 28`.
    fileprivate var told: String { self?.told ?? "a deleted state" }
}

extension Archive {
    fileprivate var told: String {
        let titles = summary.titles.map(escapedForTerminal).joined(separator: " › ")
        let place = titles.isEmpty ? "a state without a place" : titles
        return scene.name == "main" ? place : "\(place) (scene \(escapedForTerminal(scene.name)))"
    }
}

extension Device? {
    /// The device's name, or else its model or idiom.
    var told: String {
        guard let device = self else { return "A removed device" }
        return (device.name ?? device.model).map(escapedForTerminal) ?? "Unnamed \(device.idiom.name)"
    }
}
