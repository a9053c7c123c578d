import Foundation
import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperMemoryStore
@testable import PlacekeeperServer
@testable import PlacekeeperService

@Suite struct AppDeletionTests {
    /// The answers to the app's devices, and to a new device.
    private func answers(in world: AdminWorld) async throws -> [String] {
        let (fixture, phone) = (world.fixture, world.user.phone.token)
        let new = ["app": fixture.app.publishableKey, "idiom": "phone"]
        let answers = [
            try await fixture.send(.get, "/v1/devices/self", token: phone),
            try await fixture.send(.get, "/v1/scenes/main/archives/latest?idiom=phone", token: phone),
            try await fixture.upload(70, by: world.user.phone),
            try await fixture.send(.post, "/v1/devices", json: new),
        ]
        return answers.map(\.comparable)
    }

    @Test func givesDevicesOneAnswerDuringAndAfterTheDeletion() async throws {
        let world = try await AdminWorld()
        #expect(try await world.fixture.send(.get, "/v1/devices/self", token: world.user.phone.token).status == 200)
        #expect(try await world.send("deleteApp", as: .owner).status == 202)
        let read = try await world.send("readApp", as: .viewer).tree
        #expect(read["beingDeleted"] as? Bool == true)
        let during = try await answers(in: world)
        try await world.fixture.service.apps.continueDeletions()
        #expect(try await world.send("readApp", as: .viewer).code == .appNotFound)
        let after = try await answers(in: world)
        #expect(during == after)
        #expect(during.dropLast().allSatisfy { $0.hasPrefix("401") && $0.contains("unauthorized") })
        #expect(during.last?.contains("app-unknown") == true)
        #expect(try await world.fixture.memory.facts(of: world.ownerOfData) == nil)
        let entry = try #require(try await world.fixture.entries().first { $0.action == .appDeleted })
        #expect(entry.detail == "com.example.photos" && entry.actor == .token("check"))
    }

    @Test func keepsOtherApps() async throws {
        let world = try await AdminWorld()
        let other = try await world.fixture.service.apps.createApp("com.example.notes")
        let member = try await world.fixture.join(app: other.publishableKey)
        #expect(try await world.send("deleteApp", as: .owner).status == 202)
        try await world.fixture.service.apps.continueDeletions()
        #expect(try await world.fixture.service.apps.apps().map(\.id) == [other.id])
        #expect(try await world.fixture.send(.get, "/v1/devices/self", token: member.token).status == 200)
    }

    @Test(arguments: ["", "?confirm=", "?confirm=com.example.photo", "?confirm=COM.example.photos"])
    func deletesNothingWithoutTheName(_ query: String) async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        let answer = try await world.fixture.send(.delete, world.user.app + query, token: token)
        #expect(answer.status == 400 && answer.problem?.parameter == "confirm")
        try await world.fixture.service.apps.continueDeletions()
        #expect(try await world.send("readUser", as: .viewer).status == 200)
    }

    @Test func goesOnAfterAnInterruption() async throws {
        let world = try await AdminWorld()
        for _ in 0..<3 { _ = try await world.fixture.join() }
        #expect(try await world.send("deleteApp", as: .owner).status == 202)
        world.fixture.store.fail(with: .full, in: "erase(_:)")
        await #expect(throws: ServiceError.self) { try await world.fixture.service.apps.continueDeletions() }
        world.fixture.store.fail(with: nil)
        #expect(try await world.send("deleteApp", as: .owner).status == 202, "asking again is no mistake")
        try await world.fixture.service.apps.continueDeletions()
        #expect(try await world.fixture.service.apps.apps().isEmpty)
        #expect(try await world.fixture.entries().count { $0.action == .appDeleted } == 1)
    }

    /// As after a restored backup, which has the app and its users.
    @Test func deletesADeletedAppAgain() async throws {
        let world = try await AdminWorld()
        let (fixture, app) = (world.fixture, world.fixture.app)
        let other = try await fixture.service.apps.createApp("com.example.notes")
        _ = try await fixture.join(app: other.publishableKey)
        fixture.clock.advance(.seconds(1))
        try await fixture.service.apps.delete(app, by: .command("root"))
        fixture.store.fail(with: .full, in: "erase(_:)")
        await #expect(throws: ServiceError.self) { try await fixture.service.apps.continueDeletions() }
        fixture.store.fail(with: nil)
        try await fixture.service.apps.replaceSettings(of: app.id, with: app.settings)
        #expect(try await fixture.send(.get, "/v1/devices/self", token: world.user.phone.token).status == 200)
        // The service can answer before the users are erased.
        #expect(try await fixture.service.accounts.resumeErasures() == 0)
        #expect(try await fixture.send(.get, "/v1/devices/self", token: world.user.phone.token).status == 401)
        try await fixture.service.apps.continueDeletions()
        #expect(try await fixture.service.apps.apps().map(\.id) == [other.id])
        let left = try await fixture.memory.users.keys
        #expect(!left.isEmpty && left.allSatisfy { $0.app == other.id })
    }

    /// Nothing is erased later if the deletion could not begin.
    @Test func deletesNothingIfTheDeletionDoesNotBegin() async throws {
        let world = try await AdminWorld()
        let (fixture, app) = (world.fixture, world.fixture.app)
        fixture.clock.advance(.seconds(1))
        fixture.store.fail(with: .full, in: "replaceSettings(of:with:replacing:)")
        await #expect(throws: ServiceError.self) {
            try await fixture.service.apps.delete(app, by: .command("root"))
        }
        fixture.store.fail(with: nil)
        #expect(try await fixture.service.accounts.resumeErasures() == 0)
        try await fixture.service.apps.continueDeletions()
        #expect(try await world.send("readUser", as: .viewer).status == 200)
    }

    @Test func deletesTheOtherAppsIfARowOfOneIsDamaged() async throws {
        let world = try await AdminWorld()
        let fixture = world.fixture
        let other = try await fixture.service.apps.createApp("com.example.notes")
        for app in [fixture.app, other] { try await fixture.service.apps.delete(app, by: .command("root")) }
        fixture.store.fail(with: .corrupt, in: "erase(_:)")
        let error = await #expect(throws: ServiceError.self) { try await fixture.service.apps.continueDeletions() }
        #expect(error?.message.contains("com.example.photos") == true)
        #expect(try await fixture.service.apps.apps().map(\.id) == [fixture.app.id])
    }

    @Test func neverStopsADeletionByASetting() async throws {
        let world = try await AdminWorld()
        let token = try await world.fixture.apiToken(.owner).text
        func patch(_ body: String) async throws -> Answer {
            try await world.fixture.send(
                .patch, world.user.app + "/settings", token: token,
                fields: ["If-Match: *", "Content-Type: application/merge-patch+json"], body: Array(body.utf8))
        }
        #expect(try await patch(#"{"isBeingDeleted": true}"#).status == 422)
        #expect(try await world.send("readApp", as: .viewer).tree["beingDeleted"] == nil)
        #expect(try await world.send("deleteApp", as: .owner).status == 202)
        for value in ["null", "false"] { #expect(try await patch(#"{"isBeingDeleted": \#(value)}"#).status == 422) }
        #expect(try await patch(#"{"restoration": "off"}"#).status == 200)
        #expect(try await world.send("readApp", as: .viewer).tree["beingDeleted"] as? Bool == true)
    }
}
