@testable import PlacekeeperHTTP
import Testing

@Suite struct MethodTests {
    @Test func readsTheTokenOfEachMethod() {
        for method in Method.allCases where method != .other {
            #expect(Array("\(method.token)".utf8).withUnsafeBytes { Method(token: $0) } == method)
        }
    }

    @Test(arguments: ["", "get", "GETS", "GE", "trace", "PROPFIND"])
    func readsAnyOtherTokenAsOther(token: String) {
        #expect(Array(token.utf8).withUnsafeBytes { Method(token: $0) } == .other)
    }
}
