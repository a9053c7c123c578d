import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// A screen that saves and restores its state with closures.
@MainActor
final class Scripted: ViewController {
    var save: (StateEncoder) -> Void = { _ in }
    var restore: (StateDecoder) throws -> Void = { _ in }

    init(_ identifier: String) {
        super.init()
        restorationIdentifier = identifier
    }

    override func encodeRestorableState(with coder: StateEncoder) { save(coder) }
    override func decodeRestorableState(with coder: StateDecoder) throws { try restore(coder) }

    /// Saves a screen with the closure `save`, and restores the screen with the closure `restore`, as at the next
    /// launch.
    @discardableResult
    static func roundTrip(
        _ app: TestApp = TestApp(), save: @escaping (StateEncoder) -> Void,
        restore: @escaping (StateDecoder) throws -> Void
    ) throws -> StateArchive {
        let screen = Scripted("Root")
        (screen.save, screen.restore) = (save, restore)
        app.roots = [screen]
        let archive = try #require(try app.save())
        #expect(try app.restore(archive).failed == [])
        #expect(app.journal.events.contains(.decoded(path: "Root")))
        return archive
    }
}

@MainActor
struct CoderTests {
    enum Mode: String { case browsing, editing }

    @Test("seed 26 · each object has its own coder, and equal keys never clash", .tags(.seed))
    func givesEachObjectItsOwnCoder() throws {
        let app = TestApp(Screen("Left", text: "one"), Screen("Right", text: "two"))
        app.willEncode = { $0.encode("three", forKey: "text") }
        let archive = try app.save()
        let (left, right) = (Screen("Left"), Screen("Right"))
        let next = TestApp(left, right)
        var text: String?
        next.didDecode = { text = $0.decodeString(forKey: "text") }
        try next.restore(archive)
        #expect([left.text, right.text, text] == ["one", "two", "three"])
    }

    @Test("seed 26 · views and copies have coders of their own, too", .tags(.seed))
    func givesViewsAndCopiesTheirOwnCoders() throws {
        final class Label: View {
            var text: String?
            override func encodeRestorableState(with coder: StateEncoder) {
                if let text { coder.encode(text, forKey: "text") }
            }
            override func decodeRestorableState(with coder: StateDecoder) throws {
                text = coder.decodeString(forKey: "text")
            }
        }
        final class Draft: StateCopying {
            var text: String?
            func encodeState(with coder: StateEncoder) { if let text { coder.encode(text, forKey: "text") } }
            func decodeState(with coder: StateDecoder) { text = coder.decodeString(forKey: "text") }
        }
        func screen(_ labels: [Label], _ text: String) -> Screen {
            let screen = Screen("Root", text: text)
            for (index, label) in labels.enumerated() { label.restorationIdentifier = "Label \(index)" }
            screen.views = labels
            return screen
        }
        let (labels, drafts) = ([Label(), Label()], [Draft(), Draft()])
        (labels[1].text, drafts[0].text) = ("label", "draft")
        let app = TestApp(screen(labels, "screen"))
        app.willEncode = { $0.encode(drafts, forKey: "drafts") }
        let restored = [Label(), Label()]
        let next = TestApp(screen(restored, ""))
        next.environment.addCopies(of: Draft.self)
        var copies: [Draft] = []
        next.didDecode = { copies = $0.decodeObjects(forKey: "drafts") }
        try next.restore(app.save())
        #expect(restored.map(\.text) == [nil, "label"])
        #expect(copies.map(\.text) == ["draft", nil])
    }

    @Test("the keys in a key space do not clash with equal keys outside it")
    func separatesKeySpaces() throws {
        let archive = try Scripted.roundTrip {
            $0.encode(1, forKey: "row")
            $0.keySpace("Base").encode(2, forKey: "row")
            $0.keySpace("Base").keySpace("Root").encode(3, forKey: "row")
            $0.keySpace("Base").encode("9", forKey: ReservedKey.bundleVersion)
        } restore: {
            #expect($0.keys == ["Base/Root/row", "Base/row", "row"])
            #expect($0.keySpace("Base").keys == ["Root/row", "row"])
            #expect($0.decodeInteger(forKey: "row") == 1)
            #expect($0.keySpace("Base").decodeInteger(forKey: "row") == 2)
            #expect($0.keySpace("Base").keySpace("Root").decodeInteger(forKey: "row") == 3)
            #expect($0.keySpace("Base").decodeString(forKey: ReservedKey.bundleVersion) == "1")
        }
        #expect(archive.objects[0].state.keys.sorted() == ["Base/Root/row", "Base/row", "row"])
    }

    @Test("seed 27 · every coder has the reserved keys, and an app cannot write them", .tags(.seed))
    func refusesWritesToReservedKeys() throws {
        let app = TestApp()
        app.willEncode = { $0.encode("mine", forKey: ReservedKey.systemVersion) }
        app.didDecode = { #expect($0.decodeString(forKey: ReservedKey.systemVersion) == "17.4") }
        // All reserved keys, with their names in archives.
        let keys = [
            "UIApplicationStateRestorationBundleVersion", "UIApplicationStateRestorationUserInterfaceIdiom",
            "UIApplicationStateRestorationTimestamp", "UIApplicationStateRestorationSystemVersion",
            "UIStateRestorationViewControllerStoryboard", "kUIViewControllerChildrenKey",
            "kUIViewControllerPresentedKey", "kTabBarSelectedViewControllerKey", "kSplitViewPrimaryKey",
            "kSplitViewSecondaryKey", "kSplitViewShowsSecondaryKey", "kActivityMailDraftKey", "kIgnoreSnapshotKey",
            "kShownViewControllersKey",
        ]
        let archive = try Scripted.roundTrip(app) { coder in
            for key in keys { coder.encode("mine", forKey: key) }
        } restore: {
            #expect($0.decodeString(forKey: ReservedKey.bundleVersion) == "1")
            #expect($0.decodeInteger(forKey: ReservedKey.userInterfaceIdiom) == 0)
            #expect($0.decode(Date.self, forKey: ReservedKey.timestamp)?.timeIntervalSinceReferenceDate == 800_000_000)
            #expect($0.decodeString(forKey: ReservedKey.systemVersion) == "17.4")
            #expect(!$0.containsValue(forKey: ReservedKey.storyboard))
            #expect($0.keySpace("Base").decodeString(forKey: ReservedKey.bundleVersion) == "1")
        }
        #expect(archive.objects[0].state == [:])
        for key in keys { #expect(app.journal.events.contains(.lint(path: "Root", key: key, .reservedKey))) }
        #expect(app.journal.events.contains(.lint(path: "", key: ReservedKey.systemVersion, .reservedKey)))
    }

    @Test("seed 32 · an object can test for a key, and keep the default if the key is missing", .tags(.seed))
    func distinguishesMissingKeysFromSavedValues() throws {
        try Scripted.roundTrip {
            $0.encode(0, forKey: "zero")
            $0.encode(nil as String?, forKey: "nil")
        } restore: {
            #expect($0.containsValue(forKey: "zero"))
            #expect($0.containsValue(forKey: "nil"))
            #expect(!$0.containsValue(forKey: "other"))
            #expect($0.decode(Int.self, forKey: "other") ?? 7 == 7)
            #expect($0.decodeInteger(forKey: "other") == 0)
        }
    }

    @Test("seed 33 · a number can be read as another number type, and a nil string is saved", .tags(.seed))
    func coercesNumbers() throws {
        try Scripted.roundTrip {
            $0.encode(11.0, forKey: "double")
            $0.encode(-2.75, forKey: "negative")
            $0.encode(Int32(2), forKey: "int32")
            $0.encode(true, forKey: "true")
            $0.encode(UInt64.max, forKey: "huge")
            $0.encode(1e300, forKey: "enormous")
            $0.encode(Double.nan, forKey: "nan")
            $0.encode(Float(0.1), forKey: "float")
            $0.encode(nil as String?, forKey: "text")
            $0.encode("12", forKey: "digits")
        } restore: {
            #expect($0.decodeFloat(forKey: "double") == 11)
            #expect($0.decodeInteger(forKey: "double") == 11)
            #expect($0.decodeBool(forKey: "double"))
            #expect(!$0.decodeBool(forKey: "absent"))
            #expect($0.decodeInteger(forKey: "negative") == -2)
            #expect($0.decodeInteger(forKey: "int32") == 2)
            #expect($0.decodeDouble(forKey: "int32") == 2)
            #expect($0.decodeInt32(forKey: "true") == 1)
            #expect($0.decodeDouble(forKey: "true") == 1)
            #expect($0.decodeFloat(forKey: "float") == 0.1)
            // A number that does not fit the requested type is never truncated. An integer decodes as nil or 0, a Float
            // as infinity.
            #expect($0.decode(UInt64.self, forKey: "huge") == .max)
            #expect($0.decodeInt64(forKey: "huge") == 0)
            #expect($0.decode(UInt8.self, forKey: "negative") == nil)
            #expect($0.decodeInteger(forKey: "enormous") == 0)
            #expect($0.decodeFloat(forKey: "enormous") == .infinity)
            #expect($0.decode(Int.self, forKey: "nan") == nil)
            #expect($0.decodeString(forKey: "text") == nil)
            #expect($0.decodeInteger(forKey: "text") == 0)
            #expect($0.decodeInteger(forKey: "digits") == 0)
            #expect($0.decodeString(forKey: "int32") == nil)
        }
    }

    @Test("bytes, arrays, dictionaries, sets and raw values are restored unchanged")
    func restoresCollectionsAndRawValues() throws {
        let archive = try Scripted.roundTrip {
            $0.encode([1, 2, 255] as [UInt8], forKey: "bytes")
            $0.encode([3, 1, 2], forKey: "numbers")
            $0.encode(["a": [1.5], "b": []], forKey: "nested")
            $0.encode(["x": [7] as [UInt8]], forKey: "bytesByName")
            $0.encode(Set(["b", "a", "c"]), forKey: "set")
            $0.encode(Mode.editing, forKey: "mode")
            $0.encode(nil as Mode?, forKey: "noMode")
            $0.encode("reading", forKey: "otherMode")
        } restore: {
            #expect($0.decodeBytes(forKey: "bytes") == [1, 2, 255])
            #expect($0.decode([Int].self, forKey: "numbers") == [3, 1, 2])
            #expect($0.decode([Double].self, forKey: "numbers") == [3, 1, 2])
            #expect($0.decode([String].self, forKey: "numbers") == nil)
            #expect($0.decode([String: [Double]].self, forKey: "nested") == ["a": [1.5], "b": []])
            #expect($0.decode([String: [UInt8]].self, forKey: "bytesByName") == ["x": [7]])
            #expect($0.decode(Set<String>.self, forKey: "set") == ["a", "b", "c"])
            #expect($0.decode(Mode.self, forKey: "mode") == .editing)
            #expect($0.decode(Mode.self, forKey: "noMode") == nil)
            #expect($0.decode(Mode.self, forKey: "otherMode") == nil)
            #expect($0.decode([Int].self, forKey: "bytes") == nil)
        }
        #expect(archive.objects[0].state["bytes"] == .data([1, 2, 255]))
        #expect(archive.objects[0].state["set"] == .array([.string("a"), .string("b"), .string("c")]))
    }

    @Test("Foundation's types are restored unchanged")
    func restoresFoundationTypes() throws {
        func check<Value: StateConvertible & Equatable>(_ value: Value) throws {
            try Scripted.roundTrip {
                $0.encode(value, forKey: "value")
                $0.encode([value, value], forKey: "values")
                $0.encode([1, 2, 3], forKey: "other")
            } restore: {
                #expect($0.decode(Value.self, forKey: "value") == value)
                #expect($0.decode([Value].self, forKey: "values") == [value, value])
                #expect($0.decode(Value.self, forKey: "none") == nil)
                _ = $0.decode(Value.self, forKey: "other")
            }
        }
        try check(Date(timeIntervalSinceReferenceDate: 0.5))
        try check(Data([0, 1, 2]))
        try check(try #require(URL(string: "https://example.com/a?b=c#d")))
        try check(UUID())
        try check(IndexPath(indexes: [1, 2, 3]))
        try check(IndexSet([1, 2, 3, 7, 9, 10]))
        try check(NSRange(location: 3, length: 4))
        try check(CGPoint(x: 1.5, y: -2))
        try check(CGSize(width: 3, height: 0.25))
        try check(CGRect(x: 1, y: 2, width: 3, height: 4))
    }

    @Test(
        "an index set is not read from invalid ranges",
        arguments: [[1], [-1, 2], [1, -2], [Int.max, 1], [Int.max - 1, 1], [1, Int.max]])
    func rejectsInvalidIndexSets(_ numbers: [Int]) { #expect(IndexSet(stateValue: numbers.stateValue) == nil) }
}
