import Foundation
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// A process that ends in the code of an object that the runtime restores.
final class LeftOutObjectTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("page 40")
    }

    /// Launches, and ends the process while an object is restored.
    private func end(in object: String?) async throws {
        let served = try #require(await phone.relaunch().restore)
        phone.core.willShow(served)
        phone.core.willRestore(object, of: served)
    }

    /// The reported results, in order, each with its object.
    private func reports() throws -> [[String?]] {
        try phone.network.requests.filter { $0.target.hasSuffix("/outcomes") }.map { request in
            let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
            return [body?["result"] as? String, body?["path"] as? String]
        }
    }

    /// The crash is reported only with the success: alone, it would stop the launch without the object as well.
    @Test func restoresTheOthersAtTheNextLaunch() async throws {
        try await end(in: "Stack/Page")
        let launch = await phone.relaunch()
        #expect(launch.text == "page 40" && launch.reason.code == .ownState)
        let served = try #require(launch.restore)
        #expect(served.leftOut == ["Stack/Page"])
        #expect(try reports().isEmpty)
        phone.core.report(.restored, of: served, at: phone.clock.now())
        await phone.flush()
        #expect(try reports() == [["crashed", "Stack/Page"], ["restored", nil]])
        // A later archive would crash, too. The crash is reported once.
        service.clock.advance(by: 60)
        await phone.saveAndFlush("page 41")
        let later = try #require(await phone.relaunch().restore)
        #expect(later.leftOut == ["Stack/Page"])
        phone.core.report(.restored, of: later, at: phone.clock.now())
        await phone.flush()
        #expect(try reports().count == 3)
    }

    @Test func givesUpAfterTwoObjects() async throws {
        try await end(in: "Stack/Page")
        try await end(in: "Stack/Other")
        try await end(in: "Stack/Third")
        let launch = await phone.relaunch()
        #expect(launch.restore == nil && launch.reason.code == .crashed)
        await phone.flush()
        #expect(try reports().map(\.first) == ["crashed"])
    }

    @Test func countsADeathOutsideOfObjectsAsBefore() async throws {
        try await end(in: "Stack/Page")
        try await end(in: nil)
        #expect(await phone.relaunch().restore == nil)
    }

    @Test func anotherVersionRestoresTheObject() async throws {
        try await end(in: "Stack/Page")
        phone.restart()
        var context = phone.context
        context.bundleVersion = "43"
        guard case .launched(let launch) = await phone.result(of: .launch(scene: "main", context)) else {
            Issue.record("no launch")
            return
        }
        #expect(launch.restore?.leftOut == [])
    }
}
