import Foundation
import PlacekeeperKit
import PlacekeeperTesting
import Testing

private struct Book: Identifiable, PlaceItem {
    let id: String
}

/// The first version of an app's screens.
private enum First: Codable, Hashable {
    case book(Book.Reference, page: Int?)
    case search(text: String, day: Date?, bytes: Data?)
    case filter(Filter)
    case about

    struct Filter: Codable, Hashable {
        var names: [String: Int]
        var isOn: Bool
        var share: Double
    }

    static let examples: [[First]] = [
        [.book(.init(placeID: "1"), page: nil)], [.book(.init(placeID: "1"), page: 7)],
        [.search(text: "sea", day: nil, bytes: nil)],
        [.search(text: "sea", day: Date(timeIntervalSinceReferenceDate: 0.5), bytes: Data([0, 255]))],
        [.filter(Filter(names: ["a": 1], isOn: true, share: 2.5))], [.about],
    ]
}

/// Later versions of the case `search`.
private enum Search {
    enum Removed: Codable, Hashable { case find(text: String) }
    enum OtherType: Codable, Hashable { case search(text: Int, day: Date?, bytes: Data?) }
    enum OtherItem: Codable, Hashable { case search(text: Book.Reference) }
    enum Required: Codable, Hashable { case search(text: String, day: Date?, bytes: Data?, page: Int) }
    enum WithoutDay: Codable, Hashable { case search(text: String, bytes: Data?) }
    enum Optional: Codable, Hashable { case search(text: String, day: Date?, bytes: Data?, page: Int?) }
    enum Renamed: Codable, Hashable {
        case find(words: String, day: Date?, bytes: Data?)
        enum CodingKeys: String, CodingKey { case find = "search" }
        enum FindCodingKeys: String, CodingKey { case words = "text", day, bytes }
    }
}

/// A state that isn't a path.
private struct Reading: Codable, Equatable {
    var book: Book.Reference?
    var tags: Set<String> = []
}

@MainActor
struct SavedFormsTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    private let search: [First] = [.search(text: "sea", day: Date(timeIntervalSinceReferenceDate: 0), bytes: nil)]

    private func findings<Value: Codable>(_ examples: [Value], isRecording: Bool = false) async throws -> [String] {
        do {
            let forms = SavedForms(file, from: "/Tests/Routes.swift", isRecording: isRecording)
            for example in examples { try await forms.check(example) }
            return []
        } catch let error as SavedFormError {
            #expect(error.description == error.findings.joined(separator: "\n"))
            return error.findings
        }
    }

    /// Writes the form of an example, as a run of the app's tests with the environment variable does.
    private func commit<Value: Codable>(_ example: Value, _ location: SourceLocation = #_sourceLocation) async throws {
        let findings = try await findings([example], isRecording: true)
        #expect(findings.first?.contains("was written. Commit it") == true, "\(findings)", sourceLocation: location)
    }

    @Test func asksForTheFileOnceAndThenAcceptsIt() async throws {
        let missing = try await findings([search])
        #expect(missing.count == 1)
        #expect(missing.first?.contains("lacks the saved form of \"search\". Run the test once with") == true)
        #expect(missing.first?.contains("PLACEKEEPER_RECORD=1") == true)
        #expect(!FileManager.default.fileExists(atPath: file))
        try await commit(search)
        #expect(try await findings([search]) == [])
        // A run that has nothing to add passes.
        #expect(try await findings([search], isRecording: true) == [])
    }

    @Test func acceptsEachFormOfScreenAndKeepsEarlierForms() async throws {
        for example in First.examples { try await commit(example) }
        #expect(try await findings(First.examples) == [])
        #expect(try await findings([First.examples[0]]) == [])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for part in ["\"$item\" : 0", "\"$date\" : 0.5", "\"$data\" : \"AP8=\"", "\"about\"", "\"Book\""] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func recordsSeveralNewFormsAtOnceAndNoneTwice() async throws {
        let forms = SavedForms(file, from: #filePath, isRecording: true)
        let error = await #expect(throws: SavedFormError.self) {
            try await forms.check(First.examples[5], First.examples[0], First.examples[5])
        }
        #expect(error?.findings.count == 1)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.components(separatedBy: "\"about\"").count == 2)
        #expect(try await findings([First.examples[5], First.examples[0]]) == [])
    }

    @Test func readsTheFileFromTheFolderOfTheTest() async throws {
        try await commit(search)
        let url = URL(fileURLWithPath: file)
        let source = url.deletingLastPathComponent().appendingPathComponent("Tests.swift").path
        try await SavedForms(url.lastPathComponent, from: source).check(search)
    }

    @Test func failsOnACaseThatWasRemoved() async throws {
        try await commit(search)
        try await expectLost([Search.Removed.find(text: "sea")])
    }

    @Test func failsOnAValueOfAnotherType() async throws {
        try await commit(search)
        try await expectLost([Search.OtherType.search(text: 1, day: nil, bytes: nil)])
    }

    @Test func failsOnAnItemInPlaceOfAText() async throws {
        try await commit(search)
        try await expectLost([Search.OtherItem.search(text: .init(placeID: "1"))])
    }

    @Test func failsOnANewRequiredValue() async throws {
        try await commit(search)
        try await expectLost([Search.Required.search(text: "sea", day: nil, bytes: nil, page: 1)])
    }

    @Test func failsOnAValueThatWasRemoved() async throws {
        try await commit(search)
        try await expectLost([Search.WithoutDay.search(text: "sea", bytes: nil)])
    }

    @Test func failsOnAnItemOfAnotherList() async throws {
        struct Film: Identifiable, PlaceItem { let id: String }
        enum Later: Codable, Hashable { case book(Film.Reference, page: Int?) }
        try await commit([First.book(.init(placeID: "1"), page: nil)])
        try await expectLost([Later.book(.init(placeID: "1"), page: nil)], "book")
    }

    @Test func acceptsANewOptionalValue() async throws {
        try await commit(search)
        let later = [Search.Optional.search(text: "sea", day: nil, bytes: nil, page: 7)]
        try await commit(later)
        #expect(try await findings([later]) == [])
    }

    @Test func acceptsNamesThatCodingKeysKeep() async throws {
        try await commit(search)
        let later = [Search.Renamed.find(words: "sea", day: Date(timeIntervalSinceReferenceDate: 0), bytes: nil)]
        #expect(try await findings([later]) == [])
    }

    @Test func checksAWholeState() async throws {
        let reading = Reading(book: .init(placeID: "1"))
        try await commit(reading)
        try await commit(Reading())
        #expect(try await findings([reading, Reading()]) == [])
        struct Later: Codable, Equatable {
            var book: Book.Reference
        }
        try await expectLost(Later(book: .init(placeID: "1")), "root")
    }

    /// A set has another order in another process.
    @Test func acceptsASetInAnyOrder() async throws {
        let tags = (0..<20).map(String.init)
        try await commit(Reading(tags: Set(tags)))
        var other = Set<String>(minimumCapacity: 1000)
        for tag in tags.reversed() { other.insert(tag) }
        let findings = try await findings([Reading(tags: other)])
        #expect(findings == [])
    }

    @Test func acceptsAWholeNumberInPlaceOfAFraction() async throws {
        let filter = [First.filter(.init(names: [:], isOn: true, share: 2))]
        try await commit(filter)
        let findings = try await findings([filter])
        #expect(findings == [])
    }

    @Test func acceptsAnEmptyPath() async throws {
        try await commit([First]())
        #expect(try await findings([[First]()]) == [])
    }

    @Test func findsWhatAPlaceNeverSaves() async throws {
        struct Account: Codable, Hashable {
            var name: String
            var password: String?
        }
        let findings = try await findings([Account(name: "ann", password: "hunter2")], isRecording: true)
        #expect(findings == ["\"password\" of the screen \"root\" is never saved: the name denotes a secret."])
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func saysThatAFileCannotBeRead() async throws {
        try Data("{\"screens\":[]}".utf8).write(to: URL(fileURLWithPath: file))
        let findings = try await findings([search], isRecording: true)
        #expect(findings.first?.contains("can't be read. Restore the committed version of the file") == true)
    }

    /// This version no longer restores the committed form, and a run that writes doesn't change the file.
    private func expectLost<Value: Codable>(
        _ example: Value, _ screen: String = "search", _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let committed = try String(contentsOfFile: file, encoding: .utf8)
        for isRecording in [false, true] {
            let findings = try await findings([example], isRecording: isRecording)
            #expect(
                findings.first?.contains("doesn't restore the saved screen \"\(screen)\"") == true, "\(findings)",
                sourceLocation: location)
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == committed, sourceLocation: location)
    }
}
