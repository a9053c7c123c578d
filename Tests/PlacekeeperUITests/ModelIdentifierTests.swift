import Foundation
import PlacekeeperUI
import PlacekeeperRuntime
import Testing

struct ModelIdentifierTests {
    @Test func readsBackIdOfEachType() {
        let uuid = UUID()
        #expect(ModelIdentifier.text(of: "a/b").flatMap { ModelIdentifier.id(String.self, from: $0) } == "a/b")
        #expect(ModelIdentifier.text(of: 42).flatMap { ModelIdentifier.id(Int.self, from: $0) } == 42)
        #expect(
            ModelIdentifier.text(of: UInt64.max).flatMap { ModelIdentifier.id(UInt64.self, from: $0) } == UInt64.max)
        #expect(ModelIdentifier.text(of: uuid).flatMap { ModelIdentifier.id(UUID.self, from: $0) } == uuid)
    }

    @Test func refusesTextOfAnotherType() {
        #expect(ModelIdentifier.id(Int.self, from: "4x") == nil)
        #expect(ModelIdentifier.id(Int8.self, from: "300") == nil)
        #expect(ModelIdentifier.id(Bool.self, from: "7") == nil)
        #expect(ModelIdentifier.id(UUID.self, from: "7") == nil)
    }

    @Test func hasNoTextForFraction() { #expect(ModelIdentifier.text(of: 1.5) == nil) }
}
