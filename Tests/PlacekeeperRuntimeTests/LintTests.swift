import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct LintTests {
    private func lints(_ app: TestApp) -> [RestorationEvent] {
        app.journal.events.filter { if case .lint = $0 { true } else { false } }
    }

    @Test("seed 66 · the lint names the object and the key of state that looks like model data", .tags(.seed))
    func warnsOfModelData() throws {
        let app = TestApp()
        app.willEncode = { $0.encode([UInt8](repeating: 7, count: 3000), forKey: "photo") }
        let archive = try Scripted.roundTrip(app) {
            $0.encode("x-coredata://0A1B/Photo/p1", forKey: "photo")
            $0.encode([UInt8](repeating: 7, count: 5000), forKey: "image")
            $0.encode(String(repeating: "é", count: 2000), forKey: "text")
            $0.keySpace("List").encode(Array(repeating: true, count: 300), forKey: "rows")
        } restore: {
            #expect($0.decodeBytes(forKey: "image")?.count == 5000)
        }
        #expect(
            lints(app) == [
                .lint(path: "", key: "photo", .large(bytes: 3000, budget: 2048)),
                .lint(path: "Root", key: "image", .large(bytes: 5000, budget: 2048)),
                .lint(path: "Root", key: "text", .large(bytes: 4000, budget: 2048)),
                .lint(path: "Root", key: "List/rows", .large(bytes: 2400, budget: 2048)),
                .lint(path: "Root", key: "List/rows", .many(elements: 300, budget: 256)),
            ])
        // A lint is only a warning: all values are saved.
        #expect(archive.objects[0].state.count == 4)
    }

    @Test("seed 66 · an app can set the budget", .tags(.seed))
    func usesTheBudgetOfTheApp() throws {
        let app = TestApp()
        app.environment.budget = StateBudget(bytes: 3, elements: 1)
        try Scripted.roundTrip(app) {
            $0.encode("abc", forKey: "fits")
            $0.encode("abcd", forKey: "large")
            $0.encode([[""]], forKey: "many")
        } restore: { _ in
        }
        #expect(
            lints(app) == [
                .lint(path: "Root", key: "large", .large(bytes: 4, budget: 3)),
                .lint(path: "Root", key: "many", .many(elements: 2, budget: 1)),
            ])
    }

    @Test("values that an archive cannot hold are left out, and all other values are saved")
    func leavesOutUnwritableValues() throws {
        let app = TestApp()
        func marks(_ count: Int) -> String { "a" + String(repeating: "\u{301}", count: count) }
        func nested(_ depth: Int) -> StateValue { (0..<depth).reduce(.null) { value, _ in .array([value]) } }
        let archive = try Scripted.roundTrip(app) {
            $0.encode(.date(.infinity), forKey: "date")
            $0.encode(.array([.date(.nan)]), forKey: "dates")
            $0.encode(nested(128), forKey: "deep")
            $0.encode(.reference(0), forKey: "reference")
            $0.encode(.dictionary(["": .instance(0)]), forKey: "instance")
            $0.encode(nested(127), forKey: "less deep")
            $0.encode(.date(-63_114_076_800), forKey: "early")
            $0.encode(marks(257), forKey: "marks")
            $0.encode(["texts": [marks(257)]], forKey: "more marks")
            $0.encode([marks(257): true], forKey: "marked")
            $0.encode(true, forKey: marks(257))
            $0.encode(marks(256), forKey: "fewer marks")
        } restore: { _ in
        }
        #expect(
            lints(app)
                == [
                    "date", "dates", "deep", "reference", "instance", "marks", "more marks", "marked", marks(257),
                ].map {
                    .lint(path: "Root", key: $0, .unwritable)
                })
        #expect(archive.objects[0].state.keys.sorted() == ["early", "fewer marks", "less deep"])
    }

    @Test func leavesOutUnwritableIdentifiersAndAliases() throws {
        let marks = "a" + String(repeating: "\u{301}", count: 257)
        let source = Elements("a", marks, "b")
        source.aliases = ["a": [marks, "sha:a"]]
        let archive = try Scripted.roundTrip(TestApp()) {
            $0.encode(elementWithModelIdentifier: "a", of: source, forKey: "one")
            $0.encode(elementWithModelIdentifier: marks, of: source, forKey: "other")
        } restore: { _ in
        }
        #expect(archive.references.map(\.element) == [.init("a", aliases: ["sha:a"]), .init(nil)])
        #expect(archive.references[0].after.map(\.identifier) == [nil, "b"])
    }
}
