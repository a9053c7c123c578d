import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(20))) struct HistoryTests {
    @Test func makesAnOlderArchiveTheHead() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let wanted = try await phone.upload("Albums", "Lisbon")
            service.time.pass(.minutes(5))
            _ = try await phone.upload("Albums")
            service.time.pass(.minutes(5))

            let new = UUID().uuidString.lowercased()
            let made = try await other.request("POST", wanted.path + "/head", json: Wire.NewHead(id: new))
            #expect(made.status == 201)
            #expect(made.revision == made.headRevision)
            #expect(made["Location"]?.lowercased() == "/v1/scenes/main/archives/\(new)")
            let latest = try await phone.latest()
            #expect(latest.served == Served(archive: new, fidelity: .full, supersededBy: nil))
            #expect(latest.body == wanted.bytes)
            #expect(try await phone.history().count == 3)

            let again = try await other.request("POST", wanted.path + "/head", json: Wire.NewHead(id: new))
            #expect(again.status == 200)
            #expect(again.revision == made.revision)
            let own = try await other.request("POST", wanted.path + "/head", json: Wire.NewHead(id: wanted.id))
            #expect(own.status == 200)
        }
    }

    @Test func refusesEarlierCapturesOfAForgottenScene() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let upload = try await phone.upload("Secret")
            let elsewhere = try await phone.upload("Editor") { $0.scene = "editor" }
            service.time.pass(.minutes(10))
            #expect(try await phone.request("DELETE", "/v1/scenes/main").status == 204)
            for device in [phone, other] {
                #expect(try await device.latest().code == "nothing-stored")
                #expect(try await device.history().isEmpty)
            }
            #expect(try await phone.read(upload).status != 200)
            #expect(try await phone.latest(in: "editor").served == .full(elsewhere))

            // After the scene was forgotten, the device `other` uploads a capture from before the deletion, and a
            // capture of a state that was restored from the deleted archive.
            service.time.pass(.minutes(1))
            let late = try await other.put(try other.capture("Secret") { $0.age = .minutes(2) })
            #expect(late.status == 410)
            #expect(late.code == "scene-forgotten")
            let shown = try other.capture("Secret") { $0.restoredFrom = upload.revision }
            #expect(try await other.put(shown).code == "scene-forgotten")
            #expect(try await phone.latest().code == "nothing-stored")
            let new = try await phone.upload("Albums") { $0.age = .seconds(30) }
            #expect(try await phone.latest().served == .full(new))
        }
    }

    @Test func servesThePreviousArchiveAfterTheHeadIsDeleted() async throws {
        try await withDevice { _, phone in
            let first = try await phone.upload()
            let second = try await phone.upload()
            #expect(try await phone.request("DELETE", second.path).headRevision == first.revision)
            #expect(try await phone.latest().served == .full(first))
            let last = try await phone.request("DELETE", first.path)
            #expect(last.headRevision == nil)
            #expect(try await phone.latest().code == "nothing-stored")
        }
    }

    @Test func acceptsScreenshotsOnlyIfTheAppAllowsThem() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let upload = try await phone.upload()
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
            let screenshot = upload.path + "/screenshot"
            let refused = try await phone.request("PUT", screenshot, body: png)
            #expect(refused.status == 403)
            #expect(refused.code == "screenshots-off")
            #expect(try await phone.request("GET", screenshot).code == "screenshot-not-found")

            try await service.set(person.app) { $0.allowsScreenshots = true }
            #expect(try await phone.manifest().allowsScreenshots)
            #expect(try await phone.request("PUT", screenshot, body: png).status == 204)
            let picture = try await phone.request("GET", screenshot)
            #expect(picture.body == png)
            #expect(picture["Content-Type"] == "image/png")
            let tag = try #require(picture["ETag"])
            #expect(try await phone.request("GET", screenshot, fields: [("If-None-Match", tag)]).status == 304)
            #expect(try await phone.history().first?.hasScreenshot == true)
            #expect(
                try await phone.request("PUT", screenshot, body: Array("GIF89a".utf8)).code == "screenshot-unreadable")
            #expect(try await phone.request("GET", screenshot).body == png)
            let without = try phone.capture()
            #expect(try await phone.request("PUT", without.path + "/screenshot", body: png).code == "archive-not-found")

            try await service.set(person.app) { $0.allowsScreenshots = false }
            #expect(try await phone.request("GET", screenshot).code == "screenshot-not-found")
            try await service.set(person.app) { $0.allowsScreenshots = true }
            #expect(try await phone.request("DELETE", upload.path).status == 204)
            #expect(try await phone.request("GET", screenshot).status != 200)
        }
    }
}
