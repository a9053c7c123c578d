import Testing

@testable import PlacekeeperAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compares `openapi.yaml` with the tables of routes and problem codes.
@Suite struct DescriptionTests {
    private let lines: [Substring]

    init() throws {
        let file = #filePath.replacing("Tests/PlacekeeperAPITests/DescriptionTests.swift", with: "openapi.yaml")
        lines = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(separator: "\n")
    }

    @Test func listsEveryRouteWithMethodPathAndOperation() {
        var found: Set<String> = []
        var path: Substring = ""
        var method: Substring = ""
        for line in section("paths:") {
            let text = line.drop { $0 == " " }
            switch line.count - text.count {
            case 2: path = text.dropLast()
            case 4: method = text.dropLast()
            case 6 where text.hasPrefix("operationId: "):
                found.insert("\(method.uppercased()) \(path) \(text.dropFirst("operationId: ".count))")
            default: break
            }
        }
        #expect(found == Set(Route.allCases.map { "\($0.method.rawValue) \($0.template) \($0.rawValue)" }))
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
