import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct ReferenceTests {
    /// An object without state, to which other objects refer.
    private final class Source: StateRestoring {}

    /// A screen that refers to other objects.
    private final class Referring: Screen {
        var one: (any StateRestoring)?
        var many: [any StateRestoring] = []
        var byName: [String: any StateRestoring] = [:]

        override func encodeRestorableState(with coder: StateEncoder) {
            coder.encode(one, forKey: "one")
            coder.encode(many, forKey: "many")
            coder.encode(byName, forKey: "byName")
        }

        override func decodeRestorableState(with coder: StateDecoder) throws {
            one = coder.decodeObject(forKey: "one")
            many = coder.decodeObjects(forKey: "many")
            byName = coder.decodeObjectsByName(forKey: "byName")
        }
    }

    @Test("seed 28 · a shared restorable object is saved once, by reference, and restored as one object", .tags(.seed))
    func restoresSharedObjectAsOneObject() throws {
        let (first, second, source) = (Referring("First"), Referring("Second"), Source())
        (first.one, second.one) = (source, source)
        let app = TestApp(first, second)
        app.environment.registerObject(source, restorationIdentifier: "Source")
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["First", "Second", "Source"])
        #expect(archive?.objects[0].state["one"] == .object(path: "Source"))

        let (one, two, other) = (Referring("First"), Referring("Second"), Source())
        let next = TestApp(one, two)
        next.environment.registerObject(other, restorationIdentifier: "Source")
        try next.restore(archive)
        #expect(one.one === other)
        #expect(two.one === other)
    }

    @Test("seed 29 · arrays and dictionaries of restorable objects hold references", .tags(.seed))
    func savesReferencesInArraysAndDictionaries() throws {
        let root = Referring("Root")
        let (left, right) = (Screen("Left"), Screen("Right"))
        root.many = [right, left]
        root.byName = ["left": left, "right": right]
        let archive = try TestApp(root, left, right).save()
        #expect(archive?.objects[0].state["many"] == .array([.object(path: "Right"), .object(path: "Left")]))

        let (next, one, two) = (Referring("Root"), Screen("Left"), Screen("Right"))
        try TestApp(next, one, two).restore(archive)
        #expect(next.many.map(ObjectIdentifier.init) == [two, one].map(ObjectIdentifier.init))
        #expect(next.byName["left"] === one)
        #expect(next.byName["right"] === two)

        // Objects that do not exist at this launch are left out.
        try TestApp(next, one).restore(archive)
        #expect(next.many.map(ObjectIdentifier.init) == [ObjectIdentifier(one)])
        #expect(next.byName.keys.sorted() == ["left"])
    }

    @Test("seed 31 · a view with its own identifier saves the person's changes, and none of its data", .tags(.seed))
    func savesOnlyThePersonsChangesOfAView() throws {
        final class Slider: View {
            var value: Double
            init(_ value: Double) {
                self.value = value
                super.init()
            }
            override func encodeRestorableState(with coder: StateEncoder) { coder.encode(value, forKey: "value") }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                value = coder.decodeDouble(forKey: "value")
            }
        }
        /// A screen that the app makes at launch. Its default values differ between versions.
        final class Panel: Screen {
            let (named, unnamed): (Slider, Slider)
            let table = TableView()
            let rows: Elements
            init(_ value: Double, _ rows: Elements) {
                self.rows = rows
                (named, unnamed) = (Slider(value), Slider(value))
                super.init("Root")
                (named.restorationIdentifier, table.restorationIdentifier) = ("Slider", "Table")
                table.dataSource = rows
                let layout = View()
                layout.subviews = [unnamed, named, table]
                views = [layout]
            }
        }
        let saved = Panel(0.1, Elements([(0..<50).map { "row \($0)" }]))
        (saved.named.value, saved.unnamed.value) = (0.7, 0.8)
        saved.table.scroll(to: 44 * 30 + 5)
        let archive = try #require(try TestApp(saved).save())
        #expect(archive.objects.map(\.path) == ["Root", "Root/Slider", "Root/Table"])
        #expect(archive.objects.dropFirst().allSatisfy { $0.kind == .view })
        // Of fifty rows, the archive has only the visible rows and their neighbors, which can replace removed rows.
        let named = Set(archive.references.flatMap { [$0.element] + $0.before + $0.after }.compactMap(\.identifier))
        #expect(named.contains("row 30"))
        #expect(named.isDisjoint(with: (0..<20).map { "row \($0)" }))

        let next = Panel(0.2, Elements([["first"] + (0..<50).map { "row \($0)" }]))
        try TestApp(next).restore(archive)
        #expect(next.named.value == 0.7)
        #expect(next.unnamed.value == 0.2)
        #expect(next.table.contentOffset == 44 * 31 + 5)
    }

    @Test("seed 34 · any object can be registered, and needs neither encode nor decode", .tags(.seed))
    func savesRegisteredObjectWithoutState() throws {
        let source = Source()
        let app = TestApp(Screen("Root"))
        app.environment.registerObject(source, restorationIdentifier: "Source")
        let archive = try app.save()
        #expect(archive?.objects.last?.path == "Source")
        #expect(archive?.objects.last?.isRegistered == true)
        #expect(archive?.objects.last?.kind == .object)
        let next = TestApp(Screen("Root"))
        next.environment.registerObject(source, restorationIdentifier: "Source")
        #expect(try next.restore(archive).restored == ["Root", "Source"])
        #expect(try TestApp(Screen("Root")).restore(archive).missing == ["Source"])

        let many = (0..<130).map { _ in Source() }
        for (index, source) in many.enumerated() {
            next.environment.registerObject(source, restorationIdentifier: "\(index)")
        }
        #expect(try next.save()?.objects.map(\.path).suffix(130) == (0..<130).map { "\($0)" }[...])
    }

    @Test("seed 35 · a restoration parent scopes an identifier; an unnamed parent is passed over", .tags(.seed))
    func scopesIdentifiers() throws {
        final class Filter: StateRestoring {
            var level = 0
            weak var parent: (any StateRestoring)?
            init(_ level: Int, _ parent: any StateRestoring) { (self.level, self.parent) = (level, parent) }
            var restorationParent: (any StateRestoring)? { parent }
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
            func decodeRestorableState(with coder: StateDecoder) { level = coder.decodeInteger(forKey: "level") }
        }
        func interface(_ levels: [Int]) -> (TestApp, [Filter]) {
            let app = TestApp(Screen("Left"), Screen("Right"), Screen(nil))
            let filters = zip(levels, app.roots).map { Filter($0, $1) }
            for filter in filters { app.environment.registerObject(filter, restorationIdentifier: "Filter") }
            return (app, filters)
        }
        let (app, filters) = interface([1, 2, 3])
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Left", "Right", "Left/Filter", "Right/Filter", "Filter"])
        let (next, restored) = interface([0, 0, 0])
        try next.restore(archive)
        #expect(restored.map(\.level) == [1, 2, 3])
        #expect(filters.count == 3)

        let (circle, other) = (Filter(1, app.roots[0]), Filter(2, app.roots[0]))
        (circle.parent, other.parent) = (other, circle)
        app.environment.registerObject(circle, restorationIdentifier: "Circle")
        #expect(try app.save()?.objects.map(\.path).contains("Circle") == true)
    }

    @Test("seed 35 · a registered object scopes an identifier, in either order of registration", .tags(.seed))
    func scopesIdentifiersUnderObjects() throws {
        final class Group: StateRestoring { var restorationParent: (any StateRestoring)? }
        final class Filter: StateRestoring {
            var level = 0
            let parent: Group
            init(_ level: Int, _ parent: Group) { (self.level, self.parent) = (level, parent) }
            var restorationParent: (any StateRestoring)? { parent }
            func encodeRestorableState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
            func decodeRestorableState(with coder: StateDecoder) { level = coder.decodeInteger(forKey: "level") }
        }
        func interface(_ levels: [Int]) -> (TestApp, [Filter]) {
            let app = TestApp(Screen("Root"))
            let filters = levels.map { Filter($0, Group()) }
            filters[0].parent.restorationParent = app.roots[0]
            let names = ["Left", "Right"]
            app.environment.registerObject(filters[0], restorationIdentifier: "Filter")
            for (filter, name) in zip(filters, names) {
                app.environment.registerObject(filter.parent, restorationIdentifier: name)
            }
            app.environment.registerObject(filters[1], restorationIdentifier: "Filter")
            return (app, filters)
        }
        let (app, saved) = interface([1, 2])
        let archive = try app.save()
        #expect(archive?.objects.map(\.path) == ["Root", "Root/Left/Filter", "Root/Left", "Right", "Right/Filter"])
        let (next, restored) = interface([0, 0])
        try next.restore(archive)
        #expect(restored.map(\.level) == saved.map(\.level))
    }

    @Test func savesNoReferenceToUnnamedObject() throws {
        let root = Referring("Root")
        root.one = Screen(nil)
        let app = TestApp(root)
        #expect(try app.save()?.objects.first?.state["one"] == .null)
        #expect(
            app.journal.events.contains(.unsavedReference(from: "Root", className: "PlacekeeperRuntimeTests.Screen")))
    }

    @Test func restoresObjectsThatReferToEachOther() throws {
        let (first, second) = (Referring("First"), Referring("Second"))
        (first.one, second.one) = (second, first)
        let archive = try TestApp(first).save()
        #expect(archive?.objects.map(\.path) == ["First", "Second"])
        let (one, two) = (Referring("First"), Referring("Second"))
        try TestApp(one, two).restore(archive)
        #expect(one.one === two)
        #expect(two.one === one)
    }
}
