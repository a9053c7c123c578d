import RestorationService

extension Subcommand {
    static let appDataSources = Subcommand(
        name: "app data-sources", summary: "show what an app's data sources are declared as, or change that",
        operands: ["ID"], options: [.data, .declare, .undeclare, .json],
        discussion: """
            A data source is a named list in the app. Its scope says what identifiers mean from one device to the next:
            \(DataSource.Scope.allCases.map { "  \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))
            The app's first declaration wins; this changes it all the same. With ,neighbours behind registered, the nearest
            neighbour may be selected in place of a selected element that is gone; in other lists that is the app's own
            doing. Anyone who has an app's publishable key may declare its data sources, up to \(Limits.dataSources) of
            them: declare yours before the app is shipped, and take back what is not yours. What devices registered of a
            data source that is taken back is there again when it is declared anew. A service that runs on the same
            directory goes by what is changed within a second.
            """,
        examples: [
            ("app data-sources com.example.photos", "prints a line for each data source"),
            (
                "app data-sources com.example.photos --declare photos=registered",
                "lets devices register what they call photos"
            ),
            (
                "app data-sources com.example.photos --declare books=registered,neighbours",
                "selects the next book for one that is gone"
            ),
            ("app data-sources com.example.photos --undeclare phtos", "takes back what was a slip"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            // All are read before the first is carried out.
            var declarations: [(name: String, source: DataSource)] = []
            for text in arguments.values(of: .declare) { declarations.append(try declaration(text)) }
            let slips = arguments.values(of: .undeclare)
            try await opened.ask { [declarations] service async throws(ServiceError) in
                try await service.redeclare(declarations, undeclaring: slips, of: app)
            }
            let sources = try await opened.app(arguments.operands[0]).dataSources
            let rows = sources.sorted { $0.key < $1.key }.map { name, source in
                [name, source.scope.rawValue, source.selectsNeighbours ? "yes" : "no"]
            }
            try Output.show(
                sources, as: Table(header: ["DATA SOURCE", "SCOPE", "SELECTS NEIGHBOURS"], rows: rows).text,
                for: arguments)
            return .success
        }
    }

    /// `NAME=SCOPE`, with `,neighbours` behind it.
    private static func declaration(_ text: String) throws(CommandFailure) -> (name: String, source: DataSource) {
        let parts = text.split(separator: "=", maxSplits: 1)
        let words = parts.count == 2 ? parts[1].split(separator: ",") : []
        guard let scope = words.first.flatMap({ DataSource.Scope(rawValue: String($0)) }),
            words.count == 1 || (words.count == 2 && words[1] == "neighbours")
        else {
            let scopes = DataSource.Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "\(quoted(text)) is no declaration; give NAME=SCOPE or NAME=SCOPE,neighbours, where SCOPE is one of \(scopes)"
            )
        }
        return (String(parts[0]), DataSource(scope: scope, selectsNeighbours: words.count == 2))
    }
}

extension Option {
    static let declare = Option(
        "declare", "NAME=SCOPE[,neighbours]", help: "declare a data source", repeats: true)
    static let undeclare = Option("undeclare", "NAME", help: "take a declaration back", repeats: true)
}

extension DataSource.Scope {
    fileprivate var meaning: String {
        switch self {
        case .shared: "the same everywhere"
        case .keyed: "stable keys, by which the app looks elements up itself"
        case .registered: "something else on each device; devices register which has which aliases"
        }
    }
}
