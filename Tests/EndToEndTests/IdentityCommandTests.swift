import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of the commands `identity` and `app data-sources`, which run beside a running service.
@Suite(.onOwnThreads) struct IdentityCommandTests {
    private let service: RunningService
    private let phone: RunningService.Device
    private let pad: RunningService.Device
    /// A device of another app.
    private let stranger: RunningService.Device

    init() throws {
        service = try RunningService()
        let app = try service.createApp()
        phone = try service.register(app: app, idiom: "phone")
        let code = try service.linkCode(token: phone.token)
        pad = try service.register(app: app, idiom: "phone", linkCode: code)
        stranger = try service.register(app: try service.createApp("com.example.other"), idiom: "phone")
    }

    private func run(_ words: [String]) throws -> ChildProcess.Outcome {
        try ChildProcess(words + ["--data", service.data.path]).outcome()
    }

    /// Runs an identity command on the user's data source `photos`.
    private func identity(
        _ command: String, _ words: String..., dataSource: String = "photos"
    ) throws -> ChildProcess.Outcome {
        try run(
            ["identity", command, "com.example.photos"] + words + ["--user", phone.user, "--data-source", dataSource])
    }

    private func dataSources(_ words: String...) throws -> ChildProcess.Outcome {
        try run(["app", "data-sources", "com.example.photos"] + words)
    }

    private func send(_ method: String, _ path: String, _ body: String, by device: RunningService.Device) throws
        -> Reply
    {
        try service.request(method, path, token: device.token, body: Array(body.utf8))
    }

    /// Waits until the service applies the changes that commands made.
    private func waitUntilNoticed(_ setting: String = "restoration=offer") throws {
        try service.change(setting, of: "com.example.other", toldTo: stranger)
    }

    private func declare() throws {
        #expect(try send("PUT", "/v1/data-sources/photos", "{\"scope\": \"registered\"}", by: phone).status == 201)
    }

    private func register(_ items: String, by device: RunningService.Device) throws {
        let reply = try send("PATCH", "/v1/data-sources/photos/items", "{\"upserts\": [\(items)]}", by: device)
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Uploads an archive of the phone with a reference to a photo.
    private func upload(
        _ identifier: String, as id: String = "0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94",
        role: ModelReference.Role = .selected
    ) throws {
        let archive = try StateArchive(
            bundleVersion: "42", idiom: 0,
            references: [ModelReference(dataSource: "photos", element: .init(identifier), role: role)]
        ).encoded()
        let stored = try service.request("PUT", "/v1/scenes/main/archives/\(id)", token: phone.token, body: archive)
        #expect(stored.status == 201)
    }

    /// Requests the latest archive for the pad. If the archive's entity tag is `tag`, the response has no body.
    private func latest(unless tag: String = "none") throws -> Reply {
        try service.request(
            "GET", "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42", token: pad.token,
            fields: [("If-None-Match", "\"\(tag)\"")])
    }

    private var explaining: [String] {
        ["explain", "com.example.photos", "--user", phone.user, "--device", pad.device, "--bundle-version", "42"]
    }

    private struct Decision: Decodable, Hashable {
        struct Item: Decodable, Hashable {
            var device: String
            var identifier: String
        }
        var kind: String
        var first: Item
        var second: Item
        var note: String
        var decidedAt: String
        var hasEnded: Bool
    }

    @Test func appliesDecisionsInTheRunningService() throws {
        try declare()
        try register("{\"identifier\": \"p:1\", \"aliases\": [\"a\"]}", by: phone)
        try register("{\"identifier\": \"q1\"}", by: pad)
        try upload("p:1")
        let before = try latest()
        #expect(before["Placekeeper-References"] == "pending=1")
        // The third response comes from the cache of responses, and must be the same.
        for _ in 0..<2 { #expect(try latest().body == before.body) }

        let (first, second) = ("\(phone.device):p:1", "\(pad.device):q1")
        let made = try identity("merge", first, second, "--note", "the same photo", "--json")
        #expect(made.end == .exit(0), "\(made.error)")
        let decision = try JSONDecoder().decode(Decision.self, from: Data(made.output.utf8))
        #expect(decision.kind == "same" && decision.note == "the same photo" && !decision.hasEnded)
        #expect(
            Set([decision.first, decision.second]) == [
                .init(device: phone.device, identifier: "p:1"), .init(device: pad.device, identifier: "q1"),
            ])
        let listed = try identity("decisions", "--json")
        #expect(try JSONDecoder().decode([Decision].self, from: Data(listed.output.utf8)) == [decision])
        #expect(try identity("decisions").output.contains(first))

        try waitUntilNoticed()
        let decided = try latest(unless: try #require(before.tag))
        #expect(decided["Placekeeper-References"] == "alias=1")
        #expect(try StateArchive(reading: decided.body).references.map(\.element.identifier) == ["q1"])

        let told = try run(explaining)
        #expect(told.output.contains("p:1 → q1, by an operator's decision (0.95)"))
        #expect(told.output.contains("\(second) (phone, requesting)  merged with \(first) by an operator: the same"))
        #expect(made.error.isEmpty)

        // A new decision about two items replaces the earlier decision about these items.
        let other = try identity("split", second, first)
        #expect(other.output.contains("different") && other.output.contains(first) && other.output.contains(second))
        #expect(try identity("decisions").output.contains("same photo") == false)

        #expect(try identity("remove-decision", second, first).end == .exit(0))
        try waitUntilNoticed("restoration=auto")
        #expect(try latest().tag == before.tag)
        let again = try identity("remove-decision", second, first)
        #expect(again.end == .exit(1))
        #expect(again.error.contains("identity decisions"))
    }

    /// A revoked device may still have archives, and decisions about its items still use up the limit of decisions.
    @Test func acceptsAndTakesBackDecisionsOnARevokedDevice() throws {
        try declare()
        try register("{\"identifier\": \"p1\"}", by: phone)
        try register("{\"identifier\": \"q1\"}", by: pad)
        let (first, second) = ("\(phone.device):p1", "\(pad.device):q1")
        #expect(try identity("merge", first, second).end == .exit(0))
        #expect(try send("DELETE", "/v1/devices/\(phone.device)", "", by: pad).status == 204)
        #expect(try identity("remove-decision", first, second).end == .exit(0))
        #expect(try identity("split", first, second).end == .exit(0))
        let unknown = try identity("remove-decision", "\(stranger.device):p1", second)
        #expect(unknown.end == .exit(1))
        #expect(unknown.error.contains("the user has no device \(stranger.device)"))
    }

    @Test func listsAmbiguousAliases() throws {
        struct AmbiguousAlias: Decodable {
            var alias: String
            var device: String
            var identifiers: Set<String>
        }
        try declare()
        try register(
            """
            {"identifier": "p1", "aliases": ["default"]}, {"identifier": "p2", "aliases": ["default"]},
            {"identifier": "p3", "aliases": ["server:3"]}
            """, by: phone)
        let told = try identity("ambiguous", "--json")
        #expect(told.end == .exit(0))
        let aliases = try JSONDecoder().decode([AmbiguousAlias].self, from: Data(told.output.utf8))
        #expect(aliases.map(\.alias) == ["default"])
        #expect(aliases.first?.device == phone.device)
        #expect(aliases.first?.identifiers == ["p1", "p2"])
    }

    @Test func listsAmbiguousAliasesInPages() throws {
        struct AmbiguousAlias: Decodable {
            var cursor: String
        }
        try declare()
        for (device, count) in [(phone, 70), (pad, 80)] {
            let items = (0..<count).flatMap { number in
                // An alias may be any text. The printed cursor must be safe to paste into a shell.
                ["p", "q"].map { "{\"identifier\": \"\($0)\(number)\", \"aliases\": [\"$(a \(number))\"]}" }
            }
            try register(items.joined(separator: ", "), by: device)
        }
        func page(after last: AmbiguousAlias? = nil) throws -> [AmbiguousAlias] {
            let told =
                try last.map { try identity("ambiguous", "--json", "--after", $0.cursor) }
                ?? identity("ambiguous", "--json")
            #expect(told.end == .exit(0))
            return try JSONDecoder().decode([AmbiguousAlias].self, from: Data(told.output.utf8))
        }
        let first = try page()
        #expect(first.count == 100)
        let last = try #require(first.last)
        let second = try page(after: last)
        #expect(Set((first + second).map(\.cursor)).count == 150)
        #expect(first.count + second.count == 150)
        let text = try identity("ambiguous").output
        #expect(text.hasSuffix("more aliases follow; continue with --after \(last.cursor)\n"))
        #expect(last.cursor.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == ":" })
        let nobody = try identity("ambiguous", "--after", "\(phone.user):1")
        #expect(nobody.end == .exit(1) && nobody.error.contains("no longer has a registration"))
        #expect(try identity("ambiguous", "--after", "x").end == .exit(2))
    }

    @Test func rejectsUnknownDataSourcesItemsAndCommands() throws {
        try declare()
        let typed = try identity("decisions", dataSource: "photo")
        #expect(typed.end == .exit(1))
        #expect(typed.error.contains("did you mean photos?"))
        for (item, end) in [("p1", 2), ("nobody:p1", 2), ("\(pad.device):", 2), ("\(phone.user):p1", 1)] as [(_, Int32)]
        {
            let told = try identity("merge", item, "\(pad.device):q1")
            #expect(told.end == .exit(end), "\(item)")
        }
        #expect(try identity("decide", "\(phone.device):p1", "\(pad.device):q1").end == .exit(2))
        let same = try identity("merge", "\(pad.device):q2", "\(pad.device):q1")
        #expect(same.end == .exit(2))
        #expect(same.error.contains("two devices"))
        #expect(try identity("decisions", "--json").output == "[\n\n]\n")
        #expect(try identity("decisions").output == "none\n")
    }

    @Test func changesTheDeclarationOfADataSource() throws {
        try declare()
        func scope() throws -> Wire.Scope? {
            try service.request("GET", "/v1/data-sources/photos", token: phone.token).json(Wire.DataSource.self).scope
        }
        #expect(try scope() == .registered)
        // If one declaration is wrong, the command rejects all of its declarations.
        for (wrong, says) in [
            ("books=else", "books=else"), ("books=shared,neighbours", "SCOPE[,neighbors]"), ("books=", "books="),
            ("my books=keyed", "64 of the"), ("books=registered,", "books=registered,"),
            ("books=registered,neighbors,neighbors", "[,unique:KIND]"), ("books=registered,unique", "[,unique:KIND]"),
            ("books=registered,unique-aliases", "[,unique:KIND]"), ("books=registered,unique:", "no colon"),
            ("books=registered,unique:isbn,unique:isbn", "[,unique:KIND]"), ("books=registered,unique:a:b", "no colon"),
        ] {
            let typed = try dataSources("--declare", "photos=shared", "--declare", wrong)
            #expect(typed.end == .exit(2))
            #expect(typed.error.contains(says), "\(typed.error)")
            #expect(try !dataSources().output.contains("shared"))
        }

        let changed = try dataSources("--declare", "photos=shared", "--declare", "books=registered,neighbors")
        #expect(changed.end == .exit(0), "\(changed.error)")
        #expect(changed.output.contains("shared") && changed.output.contains("yes                -  "))
        try waitUntilNoticed()
        #expect(try scope() == .shared)

        let both = try dataSources(
            "--declare", "tags=registered,unique:server,neighbors,unique:isbn", "--declare",
            "albums=shared,redirects", "--json")
        let declared = try JSONDecoder().decode([String: DataSource].self, from: Data(both.output.utf8))
        let tags = DataSource(scope: .registered, selectsNeighbors: true, uniqueAliases: ["isbn", "server"])
        #expect(declared["tags"] == tags)
        #expect(try dataSources().output.contains("  yes                isbn,server     no"))
        #expect(declared["albums"] == DataSource(scope: .shared, allowsRedirects: true))
        #expect(declared["books"] == DataSource(scope: .registered, selectsNeighbors: true))

        let slip = try dataSources("--undeclare", "books", "--undeclare", "boks")
        #expect(slip.end != .exit(0) && slip.error.contains("boks"), "\(slip.error)")
        #expect(try dataSources().output.contains("books"))
        #expect(try dataSources("--undeclare", "books", "--declare", "my books=keyed").end != .exit(0))
        #expect(try dataSources().output.contains("books"))
        let undeclared = try dataSources("--undeclare", "books")
        #expect(undeclared.end == .exit(0) && !undeclared.output.contains("books"), "\(undeclared.error)")
    }

    @Test func explainsEachReference() throws {
        try declare()
        try register("{\"identifier\": \"p1\", \"aliases\": [\"server:1\"]}", by: phone)
        try register("{\"identifier\": \"q1\", \"aliases\": [\"server:1\"]}", by: pad)
        try upload("p1")
        let told = try run(explaining)
        #expect(told.end == .exit(0), "\(told.error)")
        #expect(told.output.contains("photos, selected: p1 → q1, by alias (0.997)"))
        #expect(told.output.contains("\(phone.device):p1 (phone, source)  shares server:1"))
        #expect(told.output.contains("\(pad.device):q1 (phone, requesting)  shares server:1"))
    }

    /// The reference is unresolved in each step, for a different reason.
    @Test func explainsUnresolvedReferences() throws {
        try declare()
        try register("{\"identifier\": \"p1\", \"aliases\": [\"server:1\"]}", by: phone)
        try upload("p1")
        func changed(_ delta: String) throws -> String {
            let reply = try send("PATCH", "/v1/data-sources/photos/items", delta, by: pad)
            #expect(reply.status == 200, "\(reply.text)")
            return try run(explaining).output
        }
        try register("{\"identifier\": \"q1\", \"aliases\": [\"server:1\"]}, {\"identifier\": \"q2\"}", by: pad)
        let (first, second) = ("\(phone.device):p1", "\(pad.device):q1")
        #expect(try identity("split", first, second, "--note", "a copy").end == .exit(0))
        let apart = try run(explaining).output
        #expect(apart.contains("\(first) and \(second) were split by an operator: a copy\n"))
        #expect(try identity("remove-decision", first, second).end == .exit(0))

        let removed = try changed("{\"removals\": [\"q1\"]}")
        #expect(removed.contains("p1 → nothing, unresolved\n"))
        #expect(removed.contains("\(second) (phone, requesting)  removed, had server:1\n"))
        #expect(try changed("{\"redirects\": [{\"from\": \"q1\", \"to\": \"q2\"}]}").contains("replaced by q2"))

        let none = try send("PATCH", "/v1/data-sources/photos/items", "{\"removals\": [\"p1\"]}", by: phone)
        #expect(none.status == 200)
        #expect(try run(explaining).output.contains("\(first) (phone, source)  removed"))
        try upload("p7", as: "1b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94")
        #expect(try run(explaining).output.contains("no device has registered the item\n"))
    }

    @Test func explainsTheNeighborOfAPendingReference() throws {
        try declare()
        let items = (1...3).map {
            "{\"identifier\": \"p\($0)\", \"aliases\": [\"server:\($0)\"], \"position\": \($0)}"
        }
        try register(items.joined(separator: ", "), by: phone)
        try register("{\"identifier\": \"q3\", \"aliases\": [\"server:3\"]}", by: pad)
        try upload("p1", role: .firstVisible)
        let told = try run(explaining).output
        #expect(
            told.contains("firstVisible: p1 → nothing, pending, until then q3, its neighbor by registered positions\n"))
    }

    @Test func warnsOfADecisionOnAnUnregisteredItem() throws {
        try declare()
        try register("{\"identifier\": \"q1\"}", by: pad)
        let told = try identity("merge", "\(phone.device):typo", "\(pad.device):q1", "--json")
        #expect(told.end == .exit(0))
        #expect(told.error.hasPrefix("placekeeper: \(phone.device):typo is not registered: "))
        #expect(told.error.hasSuffix("the decision takes effect once the item is registered\n"))
        #expect(try JSONDecoder().decode(Decision.self, from: Data(told.output.utf8)).kind == "same")
    }
}

extension Reply {
    /// The entity tag without its quotation marks.
    fileprivate var tag: String? { self["ETag"].map { String($0.dropFirst().dropLast()) } }
}
