import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct CopyTests {
    /// An object that is saved by copy, with the objects that refer to it.
    private final class Filter: StateCopying {
        var level = 0
        var next: Filter?
        var owner: (any StateRestoring)?

        func encodeState(with coder: StateEncoder) {
            coder.encode(level, forKey: "level")
            coder.encode(next, forKey: "next")
            coder.encode(owner, forKey: "owner")
        }

        func decodeState(with coder: StateDecoder) throws {
            level = coder.decodeInteger(forKey: "level")
            next = coder.decodeObject(forKey: "next")
            owner = coder.decodeObject(forKey: "owner")
            if level < 0 { throw Unwanted() }
        }

        struct Unwanted: Error {}
    }

    private func app(_ roots: Scripted...) -> TestApp {
        let app = TestApp()
        app.roots = roots
        app.environment.addCopies(of: Filter.self)
        return app
    }

    @Test("seed 28 · an ordinary object is saved once, by copy, and restored as one object", .tags(.seed))
    func restoresSharedCopyAsOneObject() throws {
        let filter = Filter()
        filter.level = 3
        filter.next = filter
        let (first, second) = (Scripted("First"), Scripted("Second"))
        filter.owner = second
        var restored: [Filter?] = []
        for screen in [first, second] {
            screen.save = { $0.encode(filter, forKey: "filter") }
            screen.restore = { restored.append($0.decodeObject(forKey: "filter")) }
        }
        let app = app(first, second)
        let archive = try #require(try app.save())
        #expect(archive.objects[0].state["filter"] == .instance(0))
        #expect(archive.objects[1].state["filter"] == .instance(0))
        #expect(archive.instances.map(\.className) == ["PlacekeeperRuntimeTests.CopyTests.Filter"])
        #expect(archive.instances.first?.state["owner"] == .object(path: "Second"))
        try app.restore(archive)
        try #require(restored.count == 2)
        let one = try #require(restored[0])
        #expect(one !== filter)
        #expect(restored[1] === one)
        #expect(one.next === one)
        #expect(one.owner === second)
        #expect(one.level == 3)
    }

    @Test("an object that only a copy refers to is saved as well")
    func savesObjectsThatOnlyACopyRefersTo() throws {
        let (root, hidden) = (Scripted("Root"), Scripted("Hidden"))
        let (filter, other) = (Filter(), Filter())
        filter.owner = hidden
        root.save = { $0.encode([filter], forKey: "filters") }
        hidden.save = { $0.encode(["other": other], forKey: "byName") }
        let archive = try #require(try app(root).save())
        #expect(archive.objects.map(\.path) == ["Root", "Hidden"])
        #expect(archive.instances.count == 2)
    }

    @Test("a chain of three thousand copies is saved and restored")
    func restoresLongChains() throws {
        var first = Filter()
        let last = first
        for level in 1..<3000 {
            let filter = Filter()
            filter.level = level
            filter.next = first
            first = filter
        }
        let root = Scripted("Root")
        var restored: Filter?
        root.save = { $0.encode(first, forKey: "filter") }
        root.restore = { restored = $0.decodeObject(forKey: "filter") }
        let app = app(root)
        let archive = try #require(try app.save())
        #expect(archive.instances.count == 3000)
        try app.restore(archive)
        for start in [first, restored] {
            var (count, filter) = (0, start)
            // Releases the objects one by one, from the front, because releasing the whole chain at once recurses too
            // deeply.
            while let next = filter?.next {
                filter?.next = nil
                filter = next
                count += 1
            }
            #expect(count == 2999)
        }
        #expect(last.level == 0)
    }

    @Test("an unlisted class is not copied, and a copy that fails to decode does not affect other copies")
    func refusesCopiesOfUnlistedClasses() throws {
        let root = Scripted("Root")
        var restored: [Filter?] = []
        root.restore = {
            restored = ["a", "b", "c", "d"].map { [coder = $0] key in coder.decodeObject(forKey: key) }
        }
        let app = app(root)
        let archive = StateArchive(
            objects: [
                RestorableObject(
                    path: "Root", kind: .viewController, className: "Scripted",
                    state: ["a": .instance(0), "b": .instance(1), "c": .instance(2), "d": .instance(9)])
            ],
            instances: [
                SavedInstance(className: "Screen", state: [:]),
                SavedInstance(className: "Filter", state: ["level": .integer(-1)]),
                SavedInstance(className: "Filter", state: ["level": .integer(5)]),
            ])
        try app.restore(archive)
        #expect(restored.map { $0?.level } == [nil, -1, 5, nil])
        #expect(app.journal.events.contains(.failed(path: "Filter", reason: "\(Filter.Unwanted())")))
        #expect(app.journal.events.contains { if case .failed("Screen", _) = $0 { true } else { false } })
    }
}
