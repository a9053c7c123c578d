import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// A value whose encoder throws.
private struct Secret: Codable, Hashable {
    init() {}
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "secret"))
    }
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "secret"))
    }
}

/// A type that asks for itself without end.
private struct Endless: Codable, Hashable {
    init() {}
    init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

/// A type that asks for two containers.
private struct Twofold: Codable, Hashable {
    var text = "x"
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
        var other = encoder.unkeyedContainer()
        try other.encode(text)
    }
    init() {}
    init(from decoder: any Decoder) throws { text = try String(from: decoder) }
}

/// Arrays in arrays.
private struct Tree: Codable, Hashable {
    var children: [Tree] = []
    init(depth: Int) { children = depth == 0 ? [] : [Tree(depth: depth - 1)] }
}

private enum Screen: Codable, Hashable {
    case secret(Secret?), endless(Endless?), twofold(Twofold?), wide(Int128?)
    case tree(Tree?, page: Int?), number(Double?), day(Date?), page(Int, secret: Secret?)
    case late(secret: Secret?, page: Int?)
}

/// What a place can't save is left out and said, and never ends the process.
@MainActor
struct RefusedValueTests {
    let phone: VirtualDevice

    init() async throws { phone = try await TestService().device(.phone) }

    /// What comes back, and the screens and names of what was left out.
    private func carry<Value: Codable>(_ value: Value) async throws -> (value: Value?, omitted: [String]) {
        let (navigator, restored) = (ValueNavigator<Value>(), ValueNavigator<Value>())
        navigator.show(value)
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let archive = try StateArchive(reading: place.archiveToSave().archive.encoded())
        restored.goToFirstScreen()
        _ = await archive.restorePlace(through: restored)
        return (restored.value, place.omissions.map { "\($0.screen ?? "") \($0.name) \($0.reason.rawValue)" })
    }

    @Test func leavesOutAValueWhoseEncoderThrows() async throws {
        let carried = try await carry([Screen.page(7, secret: Secret())])
        #expect(carried.value == [.page(7, secret: nil)])
        #expect(carried.omitted == ["page secret unwritable"])
    }

    @Test func leavesOutAValueOfATypeThatItCannotSave() async throws {
        for (screen, rest, omitted) in [
            (Screen.secret(Secret()), Screen.secret(nil), "secret"), (.endless(Endless()), .endless(nil), "endless"),
            (.twofold(Twofold()), .twofold(nil), "twofold"),
        ] {
            let carried = try await carry([screen])
            #expect(carried.value == [rest])
            #expect(carried.omitted == [omitted + " _0 unwritable"])
        }
    }

    @Test func keepsTheValuesAfterOneThatItCannotSave() async throws {
        let carried = try await carry([Screen.late(secret: Secret(), page: 7)])
        #expect(carried.value == [.late(secret: nil, page: 7)])
        let deep = try await carry([Screen.tree(Tree(depth: 100), page: 7)])
        #expect(deep.value == [.tree(nil, page: 7)])
        #expect(deep.omitted == ["tree _0 unwritable"])
    }

    /// A value with NaN isn't equal to itself, so it isn't restored.
    @Test func saysThatItLeavesOutANumberThatItCannotRestore() async throws {
        let day = try await carry([Screen.day(Date(timeIntervalSinceReferenceDate: .nan))])
        #expect(day.value == [.day(nil)])
        #expect(day.omitted == ["day _0 unwritable"])
        let number = try await carry([Screen.number(.nan)])
        #expect(number.value == [.number(nil)])
        #expect(number.omitted == ["number _0 unwritable"])
        // The container throws before it has a member.
        let wide = try await carry([Screen.wide(.max)])
        #expect(wide.value == [.wide(nil)])
        #expect(wide.omitted.count == 1)
    }

    @Test func saysThatAWholeScreenCannotBeSaved() async throws {
        let carried = try await carry([Secret()])
        #expect(carried.value == [])
        #expect(!carried.omitted.isEmpty)
    }

    @Test func saysThatAWholeStateCannotBeSaved() async throws {
        let tree = try await carry(Tree(depth: 20))
        #expect(tree.omitted == ["root children unwritable"])
        let omitted = try await carry(Secret()).omitted
        #expect(!omitted.isEmpty)
    }

    @Test func carriesTreesWithinTheLimit() async throws {
        let carried = try await carry([Screen.tree(Tree(depth: 5), page: nil)])
        #expect(carried.value == [.tree(Tree(depth: 5), page: nil)])
        #expect(carried.omitted == [])
    }

    /// Archives from elsewhere.
    @Test(arguments: [31, 200, 2000])
    func readsADeepValueOrRefusesIt(depth: Int) {
        let deep = (0..<depth).reduce(StateValue.dictionary(["children": .array([])])) { inner, _ in
            .dictionary(["children": .array([inner])])
        }
        #expect(ValueSteps.value(Tree.self, of: deep, items: []) == nil)
        #expect(ValueSteps.value(Endless.self, of: deep, items: []) == nil)
    }

    @Test func saysThatAValueOfTheWindowCannotBeSaved() {
        let place = KeptPlace(phone.placekeeper.scene(), device: phone.configuration.device)
        place.setValue(Secret(), forKey: "draft")
        #expect(place.omittedKeys == ["draft"])
        place.setValue(Endless(), forKey: "filter")
        #expect(place.omittedKeys == ["draft", "filter"])
    }
}
