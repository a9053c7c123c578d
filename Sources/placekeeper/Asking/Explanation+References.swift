import RestorationService

extension Explanation {
    /// How each reference of the archive that is served is resolved, for a terminal: a line for each, and below it what
    /// it rests on.
    var referenceText: String {
        let which =
            references.count < Limits.explainedReferences ? "References" : "The first \(references.count) references"
        var lines = ["\(which) of the archive that is served:"]
        for reference in references {
            lines.append("")
            lines.append(reference.line)
            lines += reference.grounds.map { "    " + $0 }
        }
        return lines.joined(separator: "\n")
    }
}

extension ReferenceExplanation {
    /// Such as `photos, selected: p12 → q7, by alias (0.95)`.
    fileprivate var line: String {
        let here = identifier.map(harmless) ?? "nothing"
        let outcome = scope == nil ? "not declared, left as it is" : "\(step.text) (\(confidence))"
        let doubt = isAmbiguous ? ", the likeliest of several" : ""
        return
            "\(harmless(dataSource)), \(harmless(role)): \(source.map(harmless) ?? "no identifier") → \(here), \(outcome)\(doubt)"
    }

    /// The class with its evidence, and why it may not count.
    fileprivate var grounds: [String] {
        var lines: [String] = []
        if !aliases.isEmpty { lines.append("came with \(aliases.map(harmless).joined(separator: ", "))") }
        if isReused { lines.append("the identifier names another item by now") }
        for member in members {
            var reasons = member.sharedAliases.map(harmless)
            if let note = member.decision { reasons.append(note.isEmpty ? "decision" : "decision: \(harmless(note))") }
            let because = reasons.isEmpty ? "" : "  by \(reasons.joined(separator: ", "))"
            lines.append("\(member.device)  \(harmless(member.identifier))\(because)")
        }
        if !setAside.isEmpty { lines.append("set aside: \(setAside.map(harmless).joined(separator: ", "))") }
        if isContradictory {
            lines.append(
                "two of these are of one device, or were decided to be two: only what they share themselves counts")
        }
        if isOvergrown { lines.append("these are more than one item can be: only what they share themselves counts") }
        return lines
    }
}

extension ItemResolution.Step {
    fileprivate var text: String {
        switch self {
        case .exact: "exact"
        case .alias: "by alias"
        case .pending: "pending"
        case .neighbour: "its neighbour"
        case .indexPath: "by where it stands"
        case .unresolved: "unresolved"
        }
    }
}
