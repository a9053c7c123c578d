import PlacekeeperAPI
import Testing

@testable import PlacekeeperServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares docs/identity.md with the service.
@Suite struct IdentityDocumentTests {
    private let document: String

    init() throws {
        let file = #filePath.replacing(
            "Tests/PlacekeeperServerTests/IdentityDocumentTests.swift", with: "docs/identity.md")
        document = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }

    private func blocks(_ language: String) -> [String] {
        document.split(separator: "```\(language)\n").dropFirst().compactMap { $0.split(separator: "```").first }
            .map(String.init)
    }

    @Test func answersTheDocumentsExample() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        try await fixture.declare(by: owner)
        let (delta, state) = (blocks("json")[0], blocks("json")[1])
        let answer = try await fixture.change(delta, by: owner)
        #expect(answer.text + "\n" == state)
        // The exclusive or of the two items' digests in the document is the digest of both items.
        let parts = blocks("sh")[0].split(separator: "\n").compactMap { $0.split(separator: " ").last }
        let sum = parts.map { part in part.compactMap(\.hexDigitValue) }.reduce([Int](repeating: 0, count: 32)) {
            zip($0, $1).map(^)
        }
        #expect(sum.map { String($0, radix: 16) }.joined() == (try answer.json(Wire.RegistrationState.self).digest))
    }

    @Test func documentsEveryStepAndScope() {
        for step in Wire.ResolutionStep.known { #expect(document.contains("\n|`\(step.rawValue)`|"), "\(step)") }
        for scope in Wire.Scope.known { #expect(document.contains("\n|`\(scope.rawValue)`|"), "\(scope)") }
    }
}
