import PlacekeeperArchive
import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests that a list restores to the same items on a device that has different identifiers for them.
@Suite(.timeLimit(.minutes(20))) struct IdentityTests {
    /// Runs a scenario with two phones of one person that have the same photos. The photo p3 of one phone is p6 of the
    /// other, so equal identifiers name different photos.
    private func withTwoPhones(
        selectsNeighbors: Bool? = nil, _ story: (LocalService, TestDevice, TestDevice) async throws -> Void
    ) async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            #expect(try await phone.declare(selectsNeighbors: selectsNeighbors).status == 201)
            #expect(try await other.declare(selectsNeighbors: selectsNeighbors).status == 200)
            try await phone.register(
                (1...8 as ClosedRange<Int64>).map { Wire.Item("p\($0)", "server:\($0)", position: $0) })
            try await other.register(
                (1...8 as ClosedRange<Int64>).map { Wire.Item("p\(9 - $0)", "server:\($0)", position: $0) })
            try await story(service, phone, other)
        }
    }

    /// The references of a list: p3 is selected, and p2 is the first visible item.
    private let table: [ModelReference] = [
        .photo("p3"), .photo("p2", role: .firstVisible, before: [.init("p1")], after: [.init("p3"), .init("p4")]),
    ]

    @Test func rewritesReferencesToTheRequestingDevicesIdentifiers() async throws {
        try await withTwoPhones { _, phone, other in
            let upload = try await phone.upload(table)
            let own = try await phone.latest()
            #expect(own.body == upload.bytes)
            #expect(own["Placekeeper-References"] == "exact=2")

            for reply in [try await other.latest(), try await other.restorable(upload)] {
                #expect(reply.served == .full(upload))
                #expect(reply["Placekeeper-References"] == "alias=2")
                let archive = try reply.archive
                #expect(try reply.references == ["p6 alias", "p7 alias"])
                #expect(archive.references[1].before.map(\.identifier) == ["p8"])
                #expect(archive.references[1].after.map(\.identifier) == ["p6", "p5"])
                #expect(archive.references.map(\.role) == [.selected, .firstVisible])
                #expect(archive.references.allSatisfy { $0.resolution?.confidence == 0.997 })
                #expect(archive.application == ["title": .string("p3")], "a text of the app's is no reference")
                #expect(archive.objects == (try StateArchive(reading: upload.bytes)).objects)
            }
            #expect(try await other.read(upload).body == upload.bytes, "what is stored stays as it was")
        }
    }

    @Test func changesTheEntityTagOnlyWithTheServedBytes() async throws {
        try await withTwoPhones { _, phone, other in
            let mine = try await phone.another()
            _ = try await phone.upload([.photo("p3")])
            func held(_ tag: String) async throws -> Int {
                try await mine.latest(fields: [("If-None-Match", tag)]).status
            }
            let first = try await mine.latest()
            let pending = try #require(first["ETag"])
            #expect(try first.references == ["nil pending"])
            #expect(try await held(pending) == 304)
            // The archive does not refer to this item, so the response does not change.
            try await mine.register([Wire.Item("q1", "server:1")])
            #expect(try await held(pending) == 304)
            // The next response has the new identity.
            try await mine.register([Wire.Item("q3", "server:3")])
            let second = try await mine.latest(fields: [("If-None-Match", pending)])
            #expect(second.status == 200)
            #expect(try second.references == ["q3 alias"])
            let found = try #require(second["ETag"])
            #expect(found != pending)
            #expect(try await held(found) == 304)
            // These changes do not change the served bytes, so the entity tag stays the same.
            try await mine.register([Wire.Item("q4", "server:4"), Wire.Item("q3", "server:3", "sha:3")])
            #expect(try await held(found) == 304)
            // A change on the source device changes the response, too.
            try await phone.register([Wire.Item("p3", "server:4")], removals: ["p4"])
            #expect(try await mine.latest(fields: [("If-None-Match", found)]).references == ["q4 alias"])
            try await phone.register([Wire.Item("p3", "server:3"), Wire.Item("p4", "server:4")])
            let back = try await mine.latest()
            #expect(back["ETag"] == found)
            #expect(back.body == second.body)
        }
    }

    /// A cached response is not used after the registered items change.
    @Test func appliesRegisteredItemsToTheNextResponse() async throws {
        try await withTwoPhones { _, phone, other in
            _ = try await phone.upload([.photo("p3")])
            for round in 0..<40 {
                let name = "r\(round)"
                try await other.register([Wire.Item(name, "server:3")], removals: [round == 0 ? "p6" : "r\(round - 1)"])
                #expect(try await other.latestOnce().references == ["\(name) alias"])
                #expect(try await other.latestOnce().references == ["\(name) alias"])
            }
            // Four tasks send requests at the same time. No task gets an older response than the response before it.
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        var last = 0
                        for _ in 0..<40 {
                            let identifier = try await other.latestOnce().archive.references[0].element.identifier
                            let number = Int(identifier?.dropFirst() ?? "") ?? -1
                            #expect(number >= last)
                            last = number
                        }
                    }
                }
                for number in 40..<80 {
                    try await other.register([Wire.Item("r\(number)", "server:3")], removals: ["r\(number - 1)"])
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func resolvesAPendingItemOnceItIsRegistered() async throws {
        try await withTwoPhones { _, phone, other in
            _ = try await phone.upload([.photo("p9", "server:9", role: .firstVisible, after: [.init("p8")])])
            let pending = try await other.latest()
            #expect(pending["Placekeeper-References"] == "pending=1")
            // While the item is pending, no neighbor replaces it. The aliases tell the app which item to wait for.
            #expect(try pending.references == ["nil pending"])
            #expect(try pending.archive.references[0].element.aliases == ["server:9"])
            try await other.register([Wire.Item("p9", "server:9")])
            #expect(try await other.latest().references == ["p9 alias"])
        }
    }

    @Test func replacesARemovedFirstVisibleItemByItsNeighborOnly() async throws {
        try await withTwoPhones { _, phone, other in
            _ = try await phone.upload([
                .photo("p3", before: [.init("p2")], after: [.init("p4")]),
                .photo("p3", role: .firstVisible, before: [.init("p2")], after: [.init("p4")]),
                .photo("p3", role: .firstVisible),
            ])
            try await other.register(removals: ["p6"])
            let gone = try await other.latest()
            // The service prefers neighbors after the removed item. If a reference has no neighbors, the service uses
            // the registered positions.
            #expect(try gone.references == ["nil unresolved", "p5 neighbor", "p5 neighbor"])
            #expect(gone["Placekeeper-References"] == "neighbor=2, unresolved=1")
            try await other.register(removals: ["p5"])
            #expect(try await other.latest().references == ["nil unresolved", "p7 neighbor", "p4 neighbor"])
            // No item of the list is left, so no neighbor can replace the removed item.
            try await other.register(removals: ["p1", "p2", "p3", "p4", "p7", "p8"])
            #expect(try await other.latest().references == ["nil unresolved", "nil unresolved", "nil unresolved"])
        }
    }

    /// A device has only some of the photos yet. The photo at the top has not arrived.
    @Test func namesTheNeighborOfAPendingFirstVisibleItem() async throws {
        try await withTwoPhones { _, phone, _ in
            let new = try await phone.another()
            try await new.register([Wire.Item("n1", "server:1"), Wire.Item("n8", "server:8")])
            _ = try await phone.upload([.photo("p5", role: .firstVisible), .photo("p5")])
            let served = try await new.latest()
            #expect(served["Placekeeper-References"] == "pending=2")
            #expect(try served.references == ["nil pending", "nil pending"])
            #expect(try served.archive.references.map(\.resolution?.neighbor) == ["n8", nil])
            let told = try await new.explanation().references
            #expect(told.map(\.step) == [.pending, .pending] && told.map(\.identifier) == [nil, nil])
            #expect(told.map(\.neighbor) == ["n8", nil] && told.map(\.neighborBy) == [.position, nil])
            #expect(try await new.resolve(["p5"], of: phone).map(\.identifier) == [nil])
            try await new.register([Wire.Item("n5", "server:5")])
            #expect(try await new.latest().references == ["n5 alias", "n5 alias"])
            #expect(try await new.latest().archive.references.allSatisfy { $0.resolution?.neighbor == nil })
        }
    }

    @Test func selectsTheNeighborIfTheDataSourceAllowsIt() async throws {
        try await withTwoPhones(selectsNeighbors: true) { _, phone, other in
            _ = try await phone.upload([.photo("p3", after: [.init("p4")]), .photo("p3", role: .other)])
            try await other.register(removals: ["p6"])
            #expect(try await other.latest().references == ["p5 neighbor", "nil unresolved"])
        }
    }

    @Test func followsRedirectsOfReplacedItems() async throws {
        try await withTwoPhones { _, phone, other in
            _ = try await phone.upload([.photo("p3")])
            try await phone.register([Wire.Item("p30", "server:30")], redirects: [Wire.Redirect(from: "p3", to: "p30")])
            // The other phone has only the item that was replaced.
            #expect(try await other.latest().references == ["p6 alias"])
            try await other.register([Wire.Item("q30", "server:30")])
            #expect(try await other.latest().references == ["q30 alias"])
            #expect(try await phone.latest().references == ["p30 exact"])
        }
    }

    @Test func explainsTheEvidenceOfReferences() async throws {
        try await withTwoPhones { _, phone, other in
            // Two items of the other device have this alias, so the alias is ambiguous.
            try await phone.register([Wire.Item("p3", "server:3", "unnamed")])
            try await other.register([Wire.Item("x", "unnamed"), Wire.Item("y", "unnamed")])
            _ = try await phone.upload([.photo("p3"), .photo("p2", "sha:2")])
            let told = try await other.explanation().references
            #expect(told.map(\.step) == [.alias, .alias])
            #expect(told.map(\.source) == ["p3", "p2"])
            #expect(told.map(\.identifier) == ["p6", "p7"])
            #expect(told.map(\.aliases) == [[], ["sha:2"]])
            #expect(told.map(\.ambiguousAliases) == [["unnamed"], []])
            let members = try #require(told.first?.members)
            #expect(members.map(\.item.identifier) == ["p3", "p6"])
            #expect(members.map(\.item.device.id) == [phone.id, other.id])
            #expect(members.map(\.item.device.source) == [true, false])
            #expect(members.map(\.item.device.asking) == [false, true])
            #expect(members.last?.sharedAliases == ["server:3"])
            #expect(!told[0].ambiguous && !told[0].truncated && !told[0].reused && !told[0].decided)
            #expect(told[0].gone.isEmpty && told[0].contradictions.isEmpty && told[0].neighborBy == nil)
        }
    }

    /// Identifiers are served byte for byte as they were registered.
    @Test func resolvesIdentifiersOfAnyForm() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            #expect(try await phone.declare().status == 201)
            // The two identifiers of an item, and the spelling of its alias on each device.
            let shapes: [(here: String, there: String, alias: String, spelled: String)] = [
                ("x-coredata://0D3C1E6A/Photo/p12", "x-coredata://7F2C9B14/Photo/p3", "server:12", "server:12"),
                ("x-coredata://0D3C1E6A/Photo/p3", "x-coredata://7F2C9B14/Photo/p12", "server:3", "server:3"),
                ("2F1C9E0A-5B7D-4E60-8A39-0C6D1B2E3F40", "2f1c9e0a-5b7d-4e60-8a39-0c6d1b2e3f40", "uuid:1", "uuid:1"),
                ("12", "0", "isbn:978-3-16-148410-0", "isbn:978-3-16-148410-0"),
                ("0", "12", "isbn:978-0-306-40615-7", "isbn:978-0-306-40615-7"),
                ("row/4:1", "\u{22}row\u{22}\\4", "key: a, b", "key: a, b"),
                ("Caf\u{E9} am See", "Cafe\u{301} am See", "label:Caf\u{E9}", "label:Cafe\u{301}"),
                (
                    "\u{D55C}\u{AE00}", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{D55C}",
                    "\u{1112}\u{1161}\u{11AB}"
                ),
                ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{202E}abc", "\u{212B}", "A\u{30A}"),
                (" ", "  ", "blank ", "blank "), ("NULL", "null", "nil", "nil"),
                (String(repeating: "\u{1F5BC}", count: 128), "\u{10FFFF}", "sha256:9f86", "sha256:9f86"),
            ]
            try await phone.register(shapes.map { Wire.Item($0.here, $0.alias) })
            try await other.register(shapes.map { Wire.Item($0.there, $0.spelled) })
            _ = try await phone.upload(shapes.map { .photo($0.here) })
            let served = try await other.latest()
            #expect(served["Placekeeper-References"] == "alias=\(shapes.count)")
            let identifiers = try served.archive.references.map { Array(($0.element.identifier ?? "").utf8) }
            #expect(identifiers == shapes.map { Array($0.there.utf8) })
            let resolved = try await phone.resolve(shapes.map(\.there), of: other)
            #expect(resolved.map { Array(($0.identifier ?? "").utf8) } == shapes.map { Array($0.here.utf8) })
        }
    }

    /// If only the place may be restored, the references of the place are also rewritten to the requesting device's
    /// identifiers.
    @Test func rewritesReferencesOfAPlace() async throws {
        try await withTwoPhones { _, phone, _ in
            let code = try await phone.linkCode()
            let reply = try await phone.app.register(.pad, code: code)
            let pad = TestDevice(try reply.json(), idiom: .pad, app: phone.app)
            try await pad.register([Wire.Item("on the pad", "server:3")])
            var archive = StateArchive(bundleVersion: "42", idiom: 0, systemVersion: "17.4")
            archive.references = [.photo("p3")]
            archive.place = Place([Place.Step(screen: "photo", title: "Tram 28", references: [0])])
            let upload = Upload(bytes: try archive.encoded())
            #expect(try await phone.put(upload).status == 201)
            let served = try await pad.latest()
            #expect(served["Placekeeper-Fidelity"] == "place")
            #expect(try served.references == ["on the pad alias"])
            #expect(try served.archive.place == archive.place)
        }
    }

    /// One data source has the scope shared, one has the scope keyed, and one is not declared.
    @Test func leavesReferencesOfOtherScopesUnchanged() async throws {
        try await withTwoPhones { _, phone, other in
            #expect(try await phone.declare(.shared, named: "books").status == 201)
            #expect(try await phone.declare(.keyed, named: "notes").status == 201)
            let references = ["books", "notes", "nowhere"].map {
                ModelReference(dataSource: $0, element: .init("p3", aliases: ["server:3"]), role: .selected)
            }
            let upload = try await phone.upload(references)
            let served = try await other.latest()
            #expect(served.body == upload.bytes)
            #expect(served["Placekeeper-References"] == "exact=2")
            let undeclared = try await phone.upload([references[2]])
            let unknown = try await other.latest()
            #expect(unknown.body == undeclared.bytes)
            #expect(unknown["Placekeeper-References"] == nil)
        }
    }

    @Test func keepsRegisteredItemsAcrossARestart() async throws {
        try await withTwoPhones { service, phone, other in
            _ = try await phone.upload(table)
            let tag = try #require(try await other.latest()["ETag"])
            let state = try await other.registration()
            try await service.restart()
            #expect(try await other.latest(fields: [("If-None-Match", tag)]).status == 304)
            #expect(try await other.latest().references == ["p6 alias", "p7 alias"])
            #expect(try await other.registration() == state)
            #expect(try await other.register(after: state.cursor) == state)
        }
    }

    /// The items of a device that moves to another user are removed from both users.
    @Test func removesTheItemsOfADeviceThatMoves() async throws {
        try await withTwoPhones { _, phone, other in
            _ = try await phone.upload([.photo("p3")])
            let someone = try await phone.app.person().device(.phone)
            try await someone.register([Wire.Item("s3", "server:3")])
            let code = try await someone.linkCode()
            #expect(try await other.request("POST", "/v1/devices/self/link", json: Wire.Link(code: code)).status == 200)
            #expect(try await other.registration().count == 0)
            #expect(try await other.latest().code == "nothing-stored")
            try await other.register([Wire.Item("m3", "server:3")])
            #expect(try await someone.resolve(["m3"], of: other).map(\.identifier) == ["s3"])
            #expect(try await phone.explanation().references[0].members.map(\.item.identifier) == ["p3"])
        }
    }
}
