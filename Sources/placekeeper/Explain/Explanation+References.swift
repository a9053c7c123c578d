import RestorationService

extension Explanation {
    /// How each reference of the archive that is served is resolved, for a terminal: a line for each, and below it what
    /// it rests on.
    var referenceText: String {
        let which =
            references.count < referenceCount
            ? "The first \(references.count) of \(referenceCount) references" : "References"
        var lines = ["\(which) of the archive that is served:"]
        for reference in references {
            lines += ["", reference.line]
            lines += grounds(of: reference).map { "    " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// The class with its evidence, what is gone, and why neither may count.
    private func grounds(of reference: ReferenceExplanation) -> [String] {
        guard reference.scope == .registered else { return [] }
        var lines: [String] = []
        if !reference.aliases.isEmpty { lines.append("came with \(list(reference.aliases))") }
        if reference.isReused { lines.append("the identifier names another item by now") }
        for member in reference.members {
            var reasons = member.sharedAliases.isEmpty ? [] : ["by \(list(member.sharedAliases))"]
            if let decision = member.decision {
                reasons.append("decided to be one with \(name(decision.other))\(said(decision.note))")
            }
            lines.append(([told(member.item)] + reasons).joined(separator: "  "))
        }
        for gone in reference.gone {
            let what = gone.replacement.map { "replaced by \(harmless($0))" } ?? "removed"
            let evidence = gone.sharedAliases.isEmpty ? "" : ", bore \(list(gone.sharedAliases))"
            lines.append("\(told(gone.item))  \(what)\(evidence)")
        }
        if reference.members.isEmpty, reference.gone.isEmpty, reference.resolution.isMissing {
            lines.append("no device has registered \(reference.aliases.isEmpty ? "it" : "it, nor what came with it")")
        }
        if !reference.ambiguousAliases.isEmpty {
            lines.append("set aside, since two items of one device bear it: \(list(reference.ambiguousAliases))")
        }
        for pair in reference.contradictions {
            let why = pair.note.map { "were decided to be two\(said($0))" } ?? "are of one device"
            lines.append("\(name(pair.first)) and \(name(pair.second)) \(why)")
        }
        if reference.isOvergrown { lines.append("these are more than one item can be") }
        if reference.isOvergrown || !reference.contradictions.isEmpty {
            lines.append("so only what was decided of an item, or what it shares with the reference itself, counts")
        }
        return lines
    }

    /// As `identity decide` takes it.
    private func name(_ item: ItemName) -> String { "\(item.device):\(harmless(item.identifier))" }

    /// With whose it is, such as `7d4f…:p12 (My phone, source)`.
    private func told(_ item: ItemName) -> String {
        let device = devices[item.device]
        let whose = [
            (device?.name ?? device?.model).map(harmless), item.device == source ? "source" : nil,
            item.device == asking ? "asking" : nil,
        ].compactMap(\.self)
        return name(item) + (whose.isEmpty ? "" : " (\(whose.joined(separator: ", ")))")
    }

    private func list(_ aliases: [String]) -> String { aliases.map(harmless).joined(separator: ", ") }

    private func said(_ note: String) -> String { note.isEmpty ? "" : ": \(harmless(note))" }
}

extension ItemResolution {
    /// Whether it was looked for and not found itself.
    fileprivate var isMissing: Bool { [.pending, .neighbour, .unresolved].contains(step) }
}

extension ReferenceExplanation {
    /// Such as `photos, selected: p12 → q7, by alias (0.95)`.
    fileprivate var line: String {
        let name = "\(harmless(dataSource)), \(harmless(role)): \(source.map(harmless) ?? "no identifier")"
        let here = resolution.identifier.map(harmless) ?? "nothing"
        let sure = resolution.confidence > 0 ? " (\(resolution.confidence))" : ""
        let outcome = scope == nil ? "not declared, left as it is" : step + sure
        let doubt = resolution.isAmbiguous ? ", the likeliest of several" : ""
        return "\(name) → \(here), \(outcome)\(doubt)"
    }

    private var step: String {
        switch resolution.step {
        case .exact: "exact"
        case .alias: isDecided ? "as an operator decided" : "by alias"
        case .pending: "pending"
        case .neighbour:
            resolution.neighbourSource == .archive
                ? "its neighbour in the archive" : "its neighbour by registered positions"
        case .indexPath: "by where it stands"
        case .unresolved:
            switch resolution.limitedBy {
            case .neighbours:
                "unresolved, its neighbours by registered positions not asked for: too many were before it"
            case .size: "unresolved: the archive would have grown by too much"
            case nil: "unresolved"
            }
        }
    }
}
