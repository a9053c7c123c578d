import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// A filter that `NSKeyedArchiver` can encode and `NSKeyedUnarchiver` can decode.
final class SecureFilter: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    var next: SecureFilter?

    init(_ name: String) { self.name = name }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(next, forKey: "next")
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String? else {
            coder.failWithError(CocoaError(.coderValueNotFound))
            return nil
        }
        self.name = name
        next = coder.decodeObject(of: SecureFilter.self, forKey: "next")
    }
}

/// A restorable object that `NSKeyedArchiver` could encode, too.
private final class SecureTool: NSObject, NSSecureCoding, StateRestoring {
    nonisolated static var supportsSecureCoding: Bool { true }
    let restorationIdentifier: String? = "Tool"
    override init() {}
    nonisolated func encode(with coder: NSCoder) {}
    nonisolated init?(coder: NSCoder) {}
}

@MainActor
struct RestorationCoderTests {
    private func roundTrip(
        _ app: TestApp = TestApp(), save: @escaping (NSCoder) -> Void, restore: @escaping (NSCoder) throws -> Void
    ) throws -> StateArchive {
        try Scripted.roundTrip(app) {
            save(RestorationCoder($0))
        } restore: {
            try restore(RestorationCoder($0))
        }
    }

    @Test func decodesMissingNumbersAsZero() throws {
        _ = try roundTrip {
            $0.encode(2.5, forKey: "double")
        } restore: {
            #expect($0.decodeDouble(forKey: "double") == 2.5)
            #expect($0.decodeInteger(forKey: "missing") == 0)
            #expect($0.decodeInt32(forKey: "missing") == 0)
            #expect($0.decodeInt64(forKey: "missing") == 0)
            #expect($0.decodeFloat(forKey: "missing") == 0)
            #expect($0.decodeDouble(forKey: "missing") == 0)
            #expect(!$0.decodeBool(forKey: "missing"))
        }
    }

    @Test func restoresFoundationTypes() throws {
        let (url, identifier) = (URL(string: "https://example.com/a"), UUID())
        let date = Date(timeIntervalSinceReferenceDate: 3)
        _ = try roundTrip {
            $0.encode("text" as NSString, forKey: "text")
            $0.encode(NSNumber(value: true), forKey: "true")
            $0.encode(NSNumber(value: 1.5), forKey: "real")
            $0.encode(NSNumber(value: UInt64.max), forKey: "unsigned")
            $0.encode(["a": [1, "b", NSNull(), date], "set": Set([1])] as [String: Any], forKey: "nested")
            $0.encode(url, forKey: "url")
            $0.encode(identifier, forKey: "uuid")
            $0.encode(IndexPath(indexes: [1, 2]), forKey: "path")
            $0.encode(NSIndexSet(indexesIn: NSRange(location: 2, length: 3)), forKey: "indices")
            $0.encode(nil, forKey: "nil")
            $0.encodeConditionalObject("conditional", forKey: "conditional")
            $0.encodeBytes([1, 2, 3], length: 3, forKey: "bytes")
        } restore: {
            #expect($0.allowsKeyedCoding && $0.requiresSecureCoding)
            #expect($0.decodeObject(of: NSString.self, forKey: "text") == "text")
            #expect($0.decodeObject(of: NSNumber.self, forKey: "text") == nil)
            #expect($0.decodeObject(of: [NSNumber.self, NSString.self], forKey: "text") as? String == "text")
            #expect($0.decodeObject(of: [NSURL.self], forKey: "text") == nil)
            #expect($0.decodeObject(of: nil, forKey: "text") as? String == "text")
            #expect($0.decodeObject(forKey: "true") as? Bool == true)
            #expect($0.decodeBool(forKey: "true"))
            #expect($0.decodeObject(forKey: "real") as? Double == 1.5)
            #expect(($0.decodeObject(forKey: "unsigned") as? NSNumber)?.uint64Value == .max)
            let nested = $0.decodePropertyList(forKey: "nested") as? [String: Any]
            #expect(nested?["set"] as? NSSet == NSSet(array: [1]))
            let elements = nested?["a"] as? [Any]
            #expect(elements?.count == 4)
            #expect(elements?[0] as? Int == 1)
            #expect(elements?[2] is NSNull)
            #expect(elements?[3] as? Date == date)
            #expect($0.decodeObject(of: NSURL.self, forKey: "url") as URL? == url)
            #expect($0.decodeObject(forKey: "uuid") as? UUID == identifier)
            #expect($0.decodeObject(forKey: "path") as? IndexPath == [1, 2])
            #expect($0.decodeObject(forKey: "indices") as? IndexSet == [2, 3, 4])
            #expect($0.decodeObject(forKey: "nil") == nil)
            #expect($0.containsValue(forKey: "nil"))
            #expect($0.decodeObject(forKey: "conditional") as? String == "conditional")
            $0.withDecodedUnsafeBufferPointer(forKey: "bytes") { #expect($0.map(Array.init) == [1, 2, 3]) }
            $0.withDecodedUnsafeBufferPointer(forKey: "none") { #expect($0 == nil) }
            #expect($0.decodeObject(forKey: ReservedKey.timestamp) is Date)
        }
    }

    @Test("seed 28 · an NSSecureCoding object is saved by copy, and a restorable object by reference", .tags(.seed))
    func savesCopiesAndReferences() throws {
        let app = TestApp()
        app.environment.addCopies(ofSecureCoding: SecureFilter.self)
        let (filter, screen) = (SecureFilter("blur"), Screen("Other"))
        filter.next = SecureFilter("mono")
        let tool = SecureTool()
        let archive = try roundTrip(app) {
            $0.encode(tool, forKey: "tool")
            $0.encode([filter, filter], forKey: "filters")
            $0.encode(filter, forKey: "filter")
            $0.encode(screen, forKey: "screen")
            $0.encode([screen], forKey: "screens")
        } restore: {
            let filters = $0.decodeObject(forKey: "filters") as? [SecureFilter]
            #expect(filters?.count == 2)
            #expect(filters?[0].name == "blur")
            #expect(filters?[0] === filters?[1])
            #expect($0.decodeObject(of: SecureFilter.self, forKey: "filter") === filters?[0])
            #expect(filters?[0].next?.name == "mono")
            #expect($0.decodeObject(forKey: "screen") == nil)
        }
        #expect(archive.objects.map(\.path) == ["Root", "Tool", "Other"])
        #expect(
            archive.instances.map(\.className) == [
                "PlacekeeperRuntimeTests.SecureFilter", "PlacekeeperRuntimeTests.SecureFilter",
            ])
        #expect(archive.objects[0].state["screens"] == .array([.object(path: "Other")]))
    }

    @Test("seed 29 · arrays and dictionaries hold references, also with NSCoder", .tags(.seed))
    func savesReferencesInArraysAndDictionaries() throws {
        let (other, root) = (Screen("Other"), Scripted("Root"))
        root.save = {
            RestorationCoder($0).encode(["all": [other, "text"], "one": other] as [String: Any], forKey: "screens")
        }
        let archive = try #require(try TestApp(root).save())
        #expect(
            archive.objects[0].state["screens"]
                == .dictionary([
                    "all": .array([.object(path: "Other"), .string("text")]), "one": .object(path: "Other"),
                ]))
        let (next, found) = (Scripted("Root"), Screen("Other"))
        var decoded: [String: Any]?
        next.restore = { decoded = RestorationCoder($0).decodeObject(forKey: "screens") as? [String: Any] }
        try TestApp(next, found).restore(archive)
        #expect(decoded?["one"] as? Screen === found)
        #expect((decoded?["all"] as? [Any])?.first as? Screen === found)
    }

    @Test func refusesUnlistedClass() throws {
        _ = try roundTrip {
            $0.encode(SecureFilter("blur"), forKey: "filter")
        } restore: {
            #expect($0.decodeObject(forKey: "filter") == nil)
            #expect($0.containsValue(forKey: "filter"))
        }
    }

    @Test("seed 77 · a class that the decoding code allows need not be listed; another one must be", .tags(.seed))
    func decodesAllowedClasses() throws {
        let filter = SecureFilter("blur")
        filter.next = SecureFilter("mono")
        _ = try roundTrip {
            for key in ["allowed", "other"] { $0.encode(filter, forKey: key) }
            $0.encode(SecureFilter("red"), forKey: "unlisted")
        } restore: {
            #expect($0.decodeObject(of: NSString.self, forKey: "other") == nil)
            #expect($0.decodeObject(forKey: "unlisted") == nil)
            let restored = $0.decodeObject(of: SecureFilter.self, forKey: "allowed")
            #expect(restored?.name == "blur")
            #expect(restored?.next?.name == "mono")
        }
    }

    @Test func leavesOutReferenceOfCopyToItself() throws {
        let app = TestApp()
        app.environment.addCopies(ofSecureCoding: SecureFilter.self)
        let filter = SecureFilter("blur")
        filter.next = filter
        _ = try roundTrip(app) {
            $0.encode(filter, forKey: "filter")
        } restore: {
            let restored = $0.decodeObject(of: SecureFilter.self, forKey: "filter")
            #expect(restored?.name == "blur")
            #expect(restored?.next == nil)
        }
        filter.next = nil
    }

    @Test func survivesMalformedCopies() throws {
        let app = TestApp()
        app.environment.addCopies(ofSecureCoding: SecureFilter.self)
        let screen = Scripted("Root")
        app.roots = [screen]
        var archive = StateArchive(
            objects: [
                RestorableObject(
                    path: "Root", kind: .viewController, className: "Scripted",
                    state: ["set": .instance(0), "filter": .instance(1), "chain": .instance(2)])
            ],
            instances: [
                SavedInstance(className: "NSSet", state: ["value": .array([.instance(0), .instance(0), .integer(1)])]),
                SavedInstance(className: "SecureFilter", state: [:]),
            ])
        for index in 3..<2000 {
            archive.instances.append(
                SavedInstance(className: "SecureFilter", state: ["name": .string(""), "next": .instance(index)]))
        }
        var results: [Any?] = []
        screen.restore = {
            results = ["set", "filter", "chain"].map { [coder = RestorationCoder($0)] key in
                coder.decodeObject(forKey: key)
            }
        }
        try app.restore(archive)
        try #require(results.count == 3)
        #expect(results[0] is NSSet)
        #expect(results[1] == nil)
        #expect((results[2] as? SecureFilter)?.next != nil)
    }

    @Test func logsUnsupportedValue() throws {
        struct Other {}
        let app = TestApp()
        let archive = try roundTrip(app) {
            $0.encode(Other(), forKey: "other")
        } restore: {
            #expect($0.decodeObject(forKey: "other") == nil)
        }
        #expect(archive.objects[0].state["other"] == .null)
        #expect(
            app.journal.events.contains(
                .lint(path: "Root", key: "other", .unsupported("PlacekeeperRuntimeTests.RestorationCoderTests.Other"))))
    }
}
