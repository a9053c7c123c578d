import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let appDataSources = Subcommand(
        name: "app data-sources", summary: "show an app's data sources, or change their declarations",
        operands: ["ID"], options: [.data, .database, .databasePassword, .declare, .undeclare, .json],
        discussion: """
            A data source is a named list in the app. Its scope says how identifiers on two devices relate:
            \(DataSource.Scope.allCases.map { "  \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))
            Only this command can change an app's first declaration of a data source. With registered,neighbors, if a
            selected item was removed, its nearest neighbor may be selected instead. With the other scopes the app finds
            a replacement itself. With registered,unique:isbn the app promises that different things never share an
            alias of the kind isbn, such as isbn:9780306406157. Repeat unique:KIND for up to \(Limits.uniqueAliases)
            kinds. With shared,redirects devices may say that one item replaced another. Anyone with the app's
            publishable key may declare up to \(Limits.dataSources) data sources. Declare your data sources before you
            ship the app, and take back declarations that are not yours. If you take a declaration back and make it
            again, its items return.
            A service that runs on the same directory applies the change within a second.
            """,
        examples: [
            ("app data-sources com.example.photos", "prints a line for each data source"),
            (
                "app data-sources com.example.photos --declare photos=registered",
                "lets devices register their items of photos"
            ),
            (
                "app data-sources com.example.photos --declare books=registered,neighbors",
                "selects the nearest book in place of a removed one"
            ),
            (
                "app data-sources com.example.photos --declare tags=registered,unique:server",
                "says that different tags never share an alias like server:4711"
            ),
            (
                "app data-sources com.example.photos --declare albums=shared,redirects",
                "follows the redirects of merged albums"
            ),
            ("app data-sources com.example.photos --undeclare phtos", "takes a misspelled declaration back"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            // Parse all declarations before applying the first one.
            var declarations: [(name: String, source: DataSource)] = []
            for text in arguments.values(of: .declare) { declarations.append(try declaration(text)) }
            let slips = arguments.values(of: .undeclare)
            if !declarations.isEmpty || !slips.isEmpty {
                let names = declarations.map(\.name) + slips
                try await opened.record(
                    .dataSourcesChanged, in: app.id, detail: names.map(escapedForTerminal).joined(separator: " "))
            }
            try await opened.ask { [declarations] service async throws(ServiceError) in
                try await service.lists.redeclare(declarations, undeclaring: slips, of: app)
            }
            let sources = try await opened.app(arguments.operands[0]).dataSources
            let rows = sources.sorted { $0.key < $1.key }.map { name, source in
                [
                    name, source.scope.rawValue, source.selectsNeighbors ? "yes" : "no",
                    source.uniqueAliases.isEmpty ? "-" : source.uniqueAliases.joined(separator: ","),
                    source.allowsRedirects ? "yes" : "no",
                ]
            }
            let header = ["DATA SOURCE", "SCOPE", "SELECTS NEIGHBORS", "UNIQUE ALIASES", "REDIRECTS"]
            try Output.show(sources, as: Table(header: header, rows: rows).text, for: arguments)
            return .success
        }
    }

    /// Parses `NAME=SCOPE`, followed by `,neighbors`, `,unique:KIND` for each kind, and `,redirects` in any order.
    private static func declaration(_ text: String) throws(CommandFailure) -> (name: String, source: DataSource) {
        let parts = text.split(separator: "=", maxSplits: 1)
        let words = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        let promises = Set(words.dropFirst())
        let unique = promises.filter { $0.hasPrefix(uniquePrefix) }
        guard let scope = words.first.flatMap({ DataSource.Scope(rawValue: String($0)) }),
            promises.count == words.count - 1, promises.subtracting(unique).isSubset(of: ["neighbors", "redirects"])
        else {
            let scopes = DataSource.Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "\(quoted(text)) is not a declaration; give \(Option.declarationForm); scopes: \(scopes)")
        }
        let source = DataSource(
            scope: scope, selectsNeighbors: promises.contains("neighbors"),
            uniqueAliases: unique.map { String($0.dropFirst(uniquePrefix.count)) },
            allowsRedirects: promises.contains("redirects"))
        return (String(parts[0]), source)
    }

    private static let uniquePrefix = "unique:"
}

extension Option {
    fileprivate static let declarationForm = "NAME=SCOPE[,neighbors][,unique:KIND]…[,redirects]"
    static let declare = Option("declare", declarationForm, help: "declare a data source", repeats: true)
    static let undeclare = Option("undeclare", "NAME", help: "take a declaration back", repeats: true)
}

extension DataSource.Scope {
    fileprivate var meaning: String {
        switch self {
        case .shared: "an identifier is the same on all devices"
        case .keyed: "identifiers are stable keys, and the app itself finds the items by their keys"
        case .registered: "identifiers differ on each device, and devices register their items with aliases"
        }
    }
}
