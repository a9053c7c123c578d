import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

// Commands with which an operator decides which items are the same (docs/identity-operating.md).

extension Subcommand {
    static let identityMerge = deciding(
        .same, name: "identity merge", summary: "decide that two items of a user are one item",
        effect: "the decision takes effect once the item is registered",
        examples: [
            (
                "identity merge com.example.photos 7d4f…:p12 91c0…:q7 --user 3ac5… --data-source photos --note double",
                "makes p12 of one device and q7 of the other device one item"
            )
        ])

    static let identitySplit = deciding(
        .different, name: "identity split", summary: "decide that two items of a user are two different items",
        effect: "until the item is registered, its device is served no aliases of the other item",
        examples: [
            (
                "identity split com.example.photos 7d4f…:p12 91c0…:q7 --user 3ac5… --data-source photos --note copy",
                "keeps p12 of one device and q7 of the other device apart, although they share an alias"
            )
        ])

    /// Returns a command that stores a decision of one kind.
    ///
    /// - Parameter effect: the decision's effect while one of the two items isn't registered.
    private static func deciding(
        _ kind: Link.Kind, name: String, summary: String, effect: String, examples: [(line: String, effect: String)]
    ) -> Subcommand {
        Subcommand(
            name: name, summary: summary, operands: ["APP", "FIRST", "SECOND"],
            options: [.data, .database, .databasePassword, .user, .dataSource, .note, .json],
            discussion: """
                FIRST and SECOND name items of two devices of the user, in the form DEVICE:IDENTIFIER. A device may be
                revoked if the service still has its items. An item may be unregistered: a line on standard error
                names such an item. A decision overrides all aliases, and replaces an earlier decision on the same two
                items. identity remove-decision takes a decision back. The command prints the decision in the same form as
                identity decisions. A service that runs on the same directory applies the decision within a second.
                """,
            examples: examples
        ) { arguments throws(CommandFailure) in
            try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
                let selection = try await opened.askedList(arguments)
                let first = try opened.item(arguments.operands[1], in: selection)
                let second = try opened.item(arguments.operands[2], in: selection)
                let note = arguments.value(of: .note) ?? ""
                let owner = selection.list.owner
                try await opened.record(.decided, in: owner.app, about: owner, detail: kind.rawValue)
                let (decision, unregistered) = try await opened.ask { service async throws(ServiceError) in
                    (
                        try await service.lists.decide(kind, first, second, note: note, in: selection.list),
                        try await service.lists.unregistered([first, second], in: selection.list)
                    )
                }
                for item in unregistered {
                    Output.report(
                        "placekeeper: \(item.device):\(escapedForTerminal(item.identifier)) is not registered: \(effect)"
                    )
                }
                let report = DecisionReport(decision)
                try Output.show(report, as: DecisionReport.table(of: [report]), for: arguments)
                return .success
            }
        }
    }

    static let identityRemoveDecision = Subcommand(
        name: "identity remove-decision", summary: "take back a decision on two items",
        operands: ["APP", "FIRST", "SECOND"], options: [.data, .database, .databasePassword, .user, .dataSource],
        discussion: "Takes back an identity merge or an identity split. Exit code 1 means that no decision exists.",
        examples: [
            (
                "identity remove-decision com.example.photos 7d4f…:p12 91c0…:q7 --user 3ac5… --data-source photos",
                "lets the aliases of the two items count again"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let selection = try await opened.askedList(arguments)
            let first = try opened.item(arguments.operands[1], in: selection)
            let second = try opened.item(arguments.operands[2], in: selection)
            let owner = selection.list.owner
            try await opened.record(.decided, in: owner.app, about: owner, detail: "taken back")
            let existed = try await opened.ask { service async throws(ServiceError) in
                try await service.lists.removeDecision(first, second, in: selection.list)
            }
            guard existed else {
                throw CommandFailure(
                    .failure, "there is no decision on these two items; identity decisions lists all decisions")
            }
            return .success
        }
    }

    static let identityDecisions = Subcommand(
        name: "identity decisions", summary: "list the decisions on a user's items",
        operands: ["APP"], options: [.data, .database, .databasePassword, .user, .dataSource, .json],
        examples: [
            (
                "identity decisions com.example.photos --user 3ac5… --data-source photos",
                "prints a line for each decision, oldest first"
            )
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let selection = try await opened.askedList(arguments)
            let decisions = try await opened.ask { service async throws(ServiceError) in
                try await service.lists.decisions(in: selection.list)
            }.map(DecisionReport.init)
            try Output.show(decisions, as: DecisionReport.table(of: decisions), for: arguments)
            return .success
        }
    }

    static let identityAmbiguous = Subcommand(
        name: "identity ambiguous",
        summary: "list ambiguous aliases, which two items of one device have",
        operands: ["APP"], options: [.data, .database, .databasePassword, .user, .dataSource, .afterCursor, .json],
        discussion: """
            An ambiguous alias does not count as evidence on any device. The list is sorted by device and has
            \(ambiguousPage) aliases on a page. For each alias, it names two of the items that have the alias.
            """,
        examples: [
            (
                "identity ambiguous com.example.photos --user 3ac5… --data-source photos",
                "shows wrong evidence, such as a default key in many rows"
            ),
            (
                "identity ambiguous com.example.photos --user 3ac5… --data-source photos --after 7d4f…:1b2c…",
                "prints the next page"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let selection = try await opened.askedList(arguments)
            let last = try arguments.lastAmbiguous()
            // Request one alias more than a page, to find out whether there is a next page.
            let found = try await opened.ask { service async throws(ServiceError) in
                try await service.lists.ambiguousAliases(in: selection.list, after: last, limit: ambiguousPage + 1)
            }
            let aliases = found.prefix(ambiguousPage).map(AmbiguousAliasReport.init)
            let rows = aliases.map { [$0.alias, $0.device, $0.identifiers.joined(separator: ", ")] }
            var text = Table(header: ["ALIAS", "DEVICE", "ITEMS"], rows: rows).text
            if found.count > aliases.count, let end = aliases.last {
                text += "\nmore aliases follow; continue with --after \(end.cursor)"
            }
            try Output.show(aliases, as: text, for: arguments)
            return .success
        }
    }

    private static let ambiguousPage = 100
}

extension Option {
    static let dataSource = Option("data-source", "NAME", help: "the data source of the items", isRequired: true)
    static let afterCursor = Option("after", "CURSOR", help: "continue after the page that ended with this cursor")
    static let note = Option("note", "TEXT", help: "the reason, which identity decisions and explain show")
}

extension Arguments {
    /// Returns the last alias of the previous page, given by `--after`. Nil without `--after`.
    fileprivate func lastAmbiguous() throws(CommandFailure) -> (device: DeviceID, key: LookupKey)? {
        guard let text = value(of: .afterCursor) else { return nil }
        guard let position = Lists.AmbiguousAlias.position(text) else {
            throw failure(over: .afterCursor, "give the cursor that the previous page ended with")
        }
        return position
    }
}

/// The JSON form of a decision.
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
    var hasEnded: Bool

    init(_ decision: Lists.Decision) {
        kind = decision.kind.rawValue
        first = Item(device: decision.first.device.description, identifier: decision.first.identifier)
        second = Item(device: decision.second.device.description, identifier: decision.second.identifier)
        note = decision.note
        decidedAt = decision.decidedAt.text
        hasEnded = decision.hasEnded
    }

    static func table(of decisions: [DecisionReport]) -> String {
        let rows = decisions.map {
            [$0.kind, $0.first.text, $0.second.text, $0.decidedAt, $0.hasEnded ? "yes" : "no", $0.note]
        }
        return Table(header: ["DECISION", "FIRST", "SECOND", "MADE", "ENDED", "NOTE"], rows: rows).text
    }
}

/// The JSON form of an ambiguous alias.
private struct AmbiguousAliasReport: Encodable {
    var alias: String
    var device: String
    var identifiers: [String]
    var cursor: String

    init(_ alias: Lists.AmbiguousAlias) {
        self.alias = alias.alias
        device = alias.device.description
        identifiers = alias.identifiers
        cursor = alias.cursor
    }
}
