import Testing

@testable import PlacekeeperAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares `openapi.yaml` with the table of problem codes.
@Suite struct DescriptionTests {
    private let lines: [Substring]

    init() throws {
        let file = #filePath.replacing("Tests/PlacekeeperAPITests/DescriptionTests.swift", with: "openapi.yaml")
        lines = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(separator: "\n")
    }

    @Test func listsEveryProblemCodeWithStatusAndTitle() {
        let found = section("x-problems:").map { line in
            line.filter { $0 != "'" && $0 != "\"" && $0 != " " }
        }
        let expected = ProblemCode.allCases.map { code in
            "\(code.rawValue):{status:\(code.status),title:\(code.title)}".filter { $0 != "'" && $0 != " " }
        }
        #expect(Set(found) == Set(expected))
    }

    /// Returns the lines of `openapi.yaml` below a top-level key.
    private func section(_ key: Substring) -> ArraySlice<Substring> {
        guard let start = lines.firstIndex(of: key) else { return [] }
        return lines[(start + 1)...].prefix { $0.hasPrefix(" ") }
    }
}
