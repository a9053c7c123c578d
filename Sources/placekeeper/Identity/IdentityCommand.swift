import RestorationService

// What an operator sees and decides of which items are one (docs/identity.md).

extension Subcommand {
    static let identityDecide = Subcommand(
        name: "identity decide", summary: "decide that two items of a user are one, or two, whatever their aliases say",
        operands: ["APP", "KIND", "FIRST", "SECOND"], options: [.data, .user, .dataSource, .note, .json],
        discussion: """
            KIND is same or different. FIRST and SECOND name items of two devices of the user, each as DEVICE:IDENTIFIER.
            A device that was revoked may be one of them as long as anything is known of its items.
            They need not be registered yet; a line on standard error names one that is not. The decision takes the place
            of an earlier one on the same two, and is printed as identity decisions lists it. A service that runs on the
            same directory goes by it within a second.
            """,
        examples: [
            (
                "identity decide com.example.photos same 7d4f…:p12 91c0…:q7 --user 3ac5… --data-source photos --note duplicate",
                "makes p12 of one device and q7 of the other one item"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            guard let kind = Link.Kind(rawValue: arguments.operands[1]) else {
                throw CommandFailure(.usage, "\(quoted(arguments.operands[1])) is no decision; give same or different")
            }
            let asked = try await opened.askedList(arguments)
            let first = try opened.item(arguments.operands[2], in: asked)
            let second = try opened.item(arguments.operands[3], in: asked)
            let note = arguments.value(of: .note) ?? ""
            let (decision, unregistered) = try await opened.ask { service async throws(ServiceError) in
                (
                    try await service.decide(kind, first, second, note: note, in: asked.list),
                    try await service.unregistered([first, second], in: asked.list)
                )
            }
            let effect =
                kind == .same
                ? "the decision counts once it is" : "until it is, its device is served no aliases of the other"
            for item in unregistered {
                Output.report(
                    "placekeeper: \(item.device):\(harmless(item.identifier)) is not registered: \(effect)")
            }
            let report = DecisionReport(decision)
            try Output.show(report, as: DecisionReport.table(of: [report]), for: arguments)
            return .success
        }
    }

    static let identityUndecide = Subcommand(
        name: "identity undecide", summary: "take a decision on two items back",
        operands: ["APP", "FIRST", "SECOND"], options: [.data, .user, .dataSource],
        discussion: "Exit code 1 when nothing was decided on the two.",
        examples: [
            (
                "identity undecide com.example.photos 7d4f…:p12 91c0…:q7 --user 3ac5… --data-source photos",
                "leaves it to their aliases again"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let asked = try await opened.askedList(arguments)
            let first = try opened.item(arguments.operands[1], in: asked)
            let second = try opened.item(arguments.operands[2], in: asked)
            let wasThere = try await opened.ask { service async throws(ServiceError) in
                try await service.undecide(first, second, in: asked.list)
            }
            guard wasThere else {
                throw CommandFailure(
                    .failure, "nothing was decided on these two; identity decisions lists what was")
            }
            return .success
        }
    }

    static let identityDecisions = Subcommand(
        name: "identity decisions", summary: "list what was decided on a user's items",
        operands: ["APP"], options: [.data, .user, .dataSource, .json],
        examples: [
            (
                "identity decisions com.example.photos --user 3ac5… --data-source photos",
                "prints a line for each decision, the oldest first"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let asked = try await opened.askedList(arguments)
            let decisions = try await opened.ask { service async throws(ServiceError) in
                try await service.decisions(in: asked.list)
            }.map(DecisionReport.init)
            try Output.show(decisions, as: DecisionReport.table(of: decisions), for: arguments)
            return .success
        }
    }

    static let identityAmbiguous = Subcommand(
        name: "identity set-aside",
        summary: "list aliases that are no evidence, since two items of one device bear them",
        operands: ["APP"], options: [.data, .user, .dataSource, .afterCursor, .json],
        discussion: """
            They come device by device, \(ambiguousPage) at a time, each with two of the items that bear it.
            """,
        examples: [
            (
                "identity set-aside com.example.photos --user 3ac5… --data-source photos",
                "shows where evidence has gone wrong, such as a default key in many rows"
            ),
            (
                "identity set-aside com.example.photos --user 3ac5… --data-source photos --after 7d4f…:1b2c…",
                "goes on with the next page"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let asked = try await opened.askedList(arguments)
            let last = try arguments.lastAmbiguous()
            // One more tells whether there are others.
            let found = try await opened.ask { service async throws(ServiceError) in
                try await service.ambiguousAliases(in: asked.list, after: last, limit: ambiguousPage + 1)
            }
            let aliases = found.prefix(ambiguousPage).map(AmbiguousAliasReport.init)
            let rows = aliases.map { [$0.alias, $0.device, $0.identifiers.joined(separator: ", ")] }
            var text = Table(header: ["ALIAS", "DEVICE", "BORNE BY"], rows: rows).text
            if found.count > aliases.count, let end = aliases.last {
                text += "\nand more; go on with --after \(end.cursor)"
            }
            try Output.show(aliases, as: text, for: arguments)
            return .success
        }
    }

    private static let ambiguousPage = 100
}

extension Option {
    static let dataSource = Option("data-source", "NAME", help: "of which data source", isRequired: true)
    static let afterCursor = Option("after", "CURSOR", help: "aliases behind the page that ended with this cursor")
    static let note = Option("note", "TEXT", help: "why, for those who come after")
}

extension Arguments {
    /// Where the page before ended, as `--after` tells.
    fileprivate func lastAmbiguous() throws(CommandFailure) -> (device: DeviceID, key: LookupKey)? {
        guard let text = value(of: .afterCursor) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let device = DeviceID(String(parts[0])), let key = LookupKey(cursor: String(parts[1]))
        else { throw failure(over: .afterCursor, "give the cursor that the page before ended with") }
        return (device, key)
    }
}

/// A decision as the command prints it.
private struct DecisionReport: Encodable {
    struct Item: Encodable {
        var device: String
        var identifier: String
        var text: String { "\(device):\(identifier)" }

        private enum CodingKeys: CodingKey { case device, identifier }
    }

    var kind: String
    var first: Item
    var second: Item
    var note: String
    var decidedAt: String

    init(_ decision: RestorationService.Decision) {
        kind = decision.kind.rawValue
        first = Item(device: decision.first.device.description, identifier: decision.first.identifier)
        second = Item(device: decision.second.device.description, identifier: decision.second.identifier)
        note = decision.note
        decidedAt = decision.decidedAt.text
    }

    static func table(of decisions: [DecisionReport]) -> String {
        let rows = decisions.map { [$0.kind, $0.first.text, $0.second.text, $0.decidedAt, $0.note] }
        return Table(header: ["DECISION", "FIRST", "SECOND", "MADE", "NOTE"], rows: rows).text
    }
}

/// An alias that is no evidence, as the command prints it.
private struct AmbiguousAliasReport: Encodable {
    var alias: String
    var device: String
    var identifiers: [String]
    var cursor: String

    init(_ alias: RestorationService.AmbiguousAlias) {
        self.alias = alias.alias
        device = alias.device.description
        identifiers = alias.identifiers
        cursor = "\(alias.device):\(alias.key.cursor)"
    }
}
