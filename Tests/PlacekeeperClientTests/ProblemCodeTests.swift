import PlacekeeperAPI
import Testing

@testable import PlacekeeperClient

@Suite struct ProblemCodeTests {
    @Test(arguments: PlacekeeperClient.ProblemCode.allCases)
    func isACodeOfTheService(_ code: PlacekeeperClient.ProblemCode) {
        #expect(PlacekeeperAPI.ProblemCode(rawValue: code.rawValue) != nil)
    }
}
