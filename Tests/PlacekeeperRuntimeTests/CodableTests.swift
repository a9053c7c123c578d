import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct CodableTests {
    struct Search: Codable, Equatable {
        enum Scope: Codable, Equatable { case all, folder(name: String, depth: Int?) }
        var text: String?
        var scopes: [Scope]
        var sizes: [String: ClosedRange<Int>]
        var date: Date
        var pages: [[UInt8]]
        var isOpen: Bool?
    }

    class Base: Codable {
        var name = ""
        init() {}
    }

    final class Derived: Base {
        var level = 0
        private enum Keys: CodingKey { case level }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            level = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .level)
            try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(level, forKey: .level)
            try super.encode(to: container.superEncoder())
        }
    }

    /// A value that encodes itself without end.
    final class Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(self)
        }
    }

    @Test func savesCodableValuesByTheirKeys() throws {
        let search = Search(
            text: nil, scopes: [.all, .folder(name: "Lisbon", depth: 2), .folder(name: "", depth: nil)],
            sizes: ["small": 1...3], date: Date(timeIntervalSinceReferenceDate: 1.5), pages: [[1, 2], []], isOpen: true)
        let archive = try Scripted.roundTrip {
            $0.encode(codable: search, forKey: "search")
            $0.encode(codable: nil as Search?, forKey: "none")
            $0.encode(codable: [1, 2], forKey: "numbers")
        } restore: {
            let restored = try $0.decode(codable: Search.self, forKey: "search")
            #expect(restored == search)
            #expect(try $0.decode(codable: Search.self, forKey: "none") == nil)
            #expect(try $0.decode(codable: Search.self, forKey: "nothing") == nil)
            #expect(try $0.decode(codable: [Int].self, forKey: "numbers") == [1, 2])
        }
        guard case .dictionary(let state)? = archive.objects[0].state["search"] else {
            Issue.record("not a dictionary")
            return
        }
        #expect(state["date"] == .date(1.5))
        #expect(state["isOpen"] == .boolean(true))
        #expect(state["pages"] == .array([.data([1, 2]), .data([])]))
        #expect(state["text"] == nil)
    }

    @Test func savesInheritedProperties() throws {
        let value = Derived()
        (value.name, value.level) = ("a", 2)
        try Scripted.roundTrip {
            $0.encode(codable: value, forKey: "value")
        } restore: {
            let restored = try $0.decode(codable: Derived.self, forKey: "value")
            #expect(restored?.name == "a")
            #expect(restored?.level == 2)
        }
    }

    @Test func rejectsValuesOfAnotherShape() throws {
        let values: [StateValue] = [
            .string("a"), .dictionary([:]), .array([]), .dictionary(["text": .string(""), "scopes": .boolean(true)]),
            .dictionary(["scopes": .array([.dictionary(["folder": .array([])])])]), .data([1]),
        ]
        try Scripted.roundTrip {
            for (index, value) in values.enumerated() { $0.encode(value, forKey: "\(index)") }
        } restore: { coder in
            for index in values.indices {
                #expect(throws: DecodingError.self) { try coder.decode(codable: Search.self, forKey: "\(index)") }
            }
        }
    }

    @Test func leavesOutEndlessValues() throws {
        let app = TestApp()
        let archive = try Scripted.roundTrip(app) {
            $0.encode(codable: Endless(), forKey: "endless")
            $0.encode(1, forKey: "row")
        } restore: { _ in
        }
        #expect(archive.objects[0].state == ["row": .integer(1)])
        #expect(
            app.journal.events.contains {
                if case .lint("Root", "endless", .unsupported) = $0 { true } else { false }
            })
    }
}
