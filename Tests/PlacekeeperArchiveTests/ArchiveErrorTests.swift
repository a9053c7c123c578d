import Foundation
import Testing

@testable import PlacekeeperArchive

/// Compares the error codes with their explanations, and with the table of codes in docs/archive-format.md.
@Suite struct ArchiveErrorTests {
    static func text(of path: String) throws -> String {
        let file = #filePath.replacing("Tests/PlacekeeperArchiveTests/ArchiveErrorTests.swift", with: path)
        return String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }

    @Test func everyCodeHasAnExplanation() throws {
        let source = try Self.text(of: "Sources/PlacekeeperArchive/ArchiveError+Codes.swift")
        let codes = source.matches(of: /Self\(rawValue: "([^"]+)"\)/).map { String($0.1) }
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes) == Set(ArchiveError.explanations.keys.map(\.rawValue)))
    }

    @Test func documentationListsEveryCodeWithItsExplanation() throws {
        let document = try Self.text(of: "docs/archive-format.md")
        let rows = document.matches(of: /(?m)^\|`([a-z0-9-]+)`\|([^|]+)\|$/).map { ($0.1, $0.2) }
        let codes = ArchiveError.explanations.map { ($0.key.rawValue, $0.value) }
        let table = Dictionary(rows.map { (String($0), String($1)) }) { first, _ in first }
        for (code, sentence) in codes { #expect(table[code] == sentence, "\(code)") }
        let refusals = document.split(separator: "| Code | Problem |").last ?? ""
        #expect(refusals.matches(of: /(?m)^\|`/).count == codes.count)
    }
}
