import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension Explanation {
    /// The resolution of each explained reference of the served archive, as text for a terminal: one line per
    /// reference, followed by its evidence.
    var referenceText: String {
        let which =
            references.count < referenceCount
            ? "The first \(references.count) of \(referenceCount) references" : "References"
        var lines = ["\(which) of the served archive:"]
        for reference in references {
            lines += ["", reference.line]
            lines += grounds(of: reference).map { "    " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the lines of evidence for a reference: the items with their evidence, the removed items, and the reasons
    /// that exclude evidence. Empty if the scope of its data source means that the reference wasn't looked up.
    private func grounds(of reference: ReferenceExplanation) -> [String] {
        guard reference.scope == .registered || !reference.gone.isEmpty else { return [] }
        var lines: [String] = []
        if !reference.aliases.isEmpty { lines.append("aliases in the archive: \(list(reference.aliases))") }
        if reference.isReused { lines.append("the identifier now belongs to another item") }
        for member in reference.members {
            var reasons = member.sharedAliases.isEmpty ? [] : ["shares \(list(member.sharedAliases))"]
            if let decision = member.decision {
                reasons.append("merged with \(name(decision.other)) by an operator\(said(decision.note))")
            }
            lines.append(([told(member.item)] + reasons).joined(separator: "  "))
        }
        for gone in reference.gone {
            let what = gone.replacement.map { "replaced by \(escapedForTerminal($0))" } ?? "removed"
            let evidence = gone.sharedAliases.isEmpty ? "" : ", had \(list(gone.sharedAliases))"
            lines.append("\(told(gone.item))  \(what)\(evidence)")
        }
        if reference.members.isEmpty, reference.gone.isEmpty, reference.resolution.isMissing {
            lines.append("no device has registered \(reference.aliases.isEmpty ? "the item" : "the item or an alias")")
        }
        if !reference.ambiguousAliases.isEmpty {
            lines.append("ambiguous aliases, which two items of one device have: \(list(reference.ambiguousAliases))")
        }
        for pair in reference.contradictions {
            let why = pair.note.map { "were split by an operator\(said($0))" } ?? "belong to one device"
            lines.append("\(name(pair.first)) and \(name(pair.second)) \(why)")
        }
        if reference.isTruncated {
            lines.append("too many items are connected; find the alias that many of them share")
        }
        if reference.isTruncated || !reference.contradictions.isEmpty {
            lines.append(
                "so only decisions count, and aliases that an item shares with the reference itself")
        }
        return lines
    }

    /// Returns an item in the form that `identity merge` and `identity split` accept.
    private func name(_ item: ItemName) -> String { "\(item.device):\(escapedForTerminal(item.identifier))" }

    /// Returns an item with its device, such as `7d4f…:p12 (My phone, source)`.
    private func told(_ item: ItemName) -> String {
        let device = devices[item.device]
        let whose = [
            (device?.name ?? device?.model).map(escapedForTerminal), item.device == source ? "source" : nil,
            item.device == asking ? "requesting" : nil,
        ].compactMap(\.self)
        return name(item) + (whose.isEmpty ? "" : " (\(whose.joined(separator: ", ")))")
    }

    private func list(_ aliases: [String]) -> String { aliases.map(escapedForTerminal).joined(separator: ", ") }

    private func said(_ note: String) -> String { note.isEmpty ? "" : ": \(escapedForTerminal(note))" }
}

extension ItemResolution {
    /// Whether the item itself wasn't found.
    fileprivate var isMissing: Bool { [.pending, .neighbor, .unresolved].contains(step) }
}

extension ReferenceExplanation {
    /// A line about the reference, such as `photos, selected: p12 → q7, by alias (0.997)`.
    fileprivate var line: String {
        let name =
            "\(escapedForTerminal(dataSource)), \(escapedForTerminal(role)): \(source.map(escapedForTerminal) ?? "no identifier")"
        let here = resolution.identifier.map(escapedForTerminal) ?? "nothing"
        let sure = resolution.confidence > 0 ? " (\(resolution.confidence))" : ""
        let outcome = scope == nil ? "data source not declared, unchanged" : step + sure
        let doubt = resolution.isAmbiguous ? ", the most likely of several" : ""
        return "\(name) → \(here), \(outcome)\(doubt)"
    }

    private var neighborSource: String {
        resolution.neighborSource == .archive ? "its neighbor in the archive" : "its neighbor by registered positions"
    }

    private var step: String {
        switch resolution.step {
        case .exact: "exact"
        case .alias: isDecided ? "by an operator's decision" : "by alias"
        case .alignment: "by alignment"
        case .indistinguishable: "one of several items that nothing distinguishes"
        case .pending:
            if let neighbor = resolution.neighbor {
                "pending, until then \(escapedForTerminal(neighbor)), \(neighborSource)"
            } else if resolution.limitedBy == .neighbors {
                "pending: the limit for neighbors by registered positions was reached"
            } else {
                "pending"
            }
        case .neighbor: neighborSource
        case .indexPath: "by its index path"
        case .unresolved:
            switch resolution.limitedBy {
            case .neighbors:
                "unresolved: the limit for neighbors by registered positions was reached"
            case .size: "unresolved: the limit for the growth of the archive was reached"
            case nil: "unresolved"
            }
        }
    }
}
