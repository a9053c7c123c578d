import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// Tests the translation of the domain's errors into the words of HTTP and JSON.
@Suite struct ServiceErrorTests {
    @Test(
        arguments: [
            ([], ""), (["upserts", .index(12), "aliases", .index(0)], "/upserts/12/aliases/0"), (["a/~b"], "/a~1~0b"),
        ] as [([ServiceError.MemberStep], String)])
    func writesAMembersPathAsJSONPointer(_ member: [ServiceError.MemberStep], _ pointer: String) {
        let problem = Problem(ServiceError(.identifierInvalid, "Invalid.", member: member))
        #expect(problem.document.pointer == pointer)
        #expect(problem.document.details == nil)
    }

    @Test func keepsTheNameOfAContextsMemberInTheDetails() {
        let problem = Problem(ServiceError(.contextInvalid, "Invalid.", details: ["member": "bundleVersion"]))
        #expect(problem.document.pointer == nil)
        #expect(problem.document.details == ["member": "bundleVersion"])
    }

    /// The response does not tell whether the token was unknown, or was revoked during the request.
    @Test func answersForACallerThatIsGoneAsForAnUnknownToken() {
        let problem = Problem(ServiceError(.callerGone, "The requesting device was revoked or moved."))
        #expect(problem.document == Problem.unauthorized.document)
        #expect(problem.document.detail == "Give a device token: Authorization: Bearer TOKEN.")
        #expect(problem.fields[.wwwAuthenticate] == "Bearer")
    }

    @Test func advisesThatAnOperatorCanDeclareMoreDataSources() async throws {
        let (fixture, owner) = try await ServerFixture().withDevice()
        for number in 1...Limits.dataSources { try await fixture.declare("shared", named: "list-\(number)", by: owner) }
        let refused = try await fixture.declare("shared", named: "another", by: owner)
        #expect(refused.code == .tooManyDataSources)
        #expect(
            refused.problem?.detail == "An app can declare at most \(Limits.dataSources) data sources. "
                + "An operator can declare more: placekeeper app data-sources APP --declare NAME=SCOPE.")
    }
}
