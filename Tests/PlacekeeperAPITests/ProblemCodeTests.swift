import Testing

@testable import PlacekeeperAPI

@Suite struct ProblemCodeTests {
    @Test(arguments: ProblemCode.allCases)
    func writesEachCodeInKebabCaseWithAnErrorStatus(_ code: ProblemCode) {
        #expect(code.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D })
        #expect((400..<600).contains(code.status))
        #expect(!code.title.isEmpty)
    }
}
