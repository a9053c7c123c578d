import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

@Suite(.timeLimit(.minutes(20))) struct LinkingTests {
    @Test func acceptsALinkCodeOnce() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let phone = try await app.person().device(.phone)
            let code = try await phone.linkCode()
            let pad = try await app.register(.pad, code: code)
            #expect(pad.status == 201)
            #expect(try pad.json(Wire.Registered.self).user == phone.user)
            let again = try await app.register(.pad, code: code)
            #expect(again.status == 422)
            #expect(again.code == "link-code-invalid")
            #expect(try await phone.request("GET", "/v1/devices").json(Wire.Page<Wire.Device>.self).items.count == 2)
        }
    }

    @Test func acceptsALinkCodeInAnySpelling() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let code = try await app.person().device(.phone).linkCode()
            #expect(code.count == 8)
            let typed = " " + code.prefix(4).lowercased() + "-" + code.suffix(4) + " "
            #expect(try await app.register(.pad, code: typed).status == 201)
        }
    }

    @Test func acceptsALinkCodeForTenMinutes() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let phone = try await app.person().device(.phone)
            let (first, second) = (try await phone.linkCode(), try await phone.linkCode())
            service.time.pass(.seconds(599))
            #expect(try await app.register(.pad, code: first).status == 201)
            service.time.pass(.seconds(1))
            #expect(try await app.register(.pad, code: second).code == "link-code-invalid")
        }
    }

    @Test func rejectsALinkCodeInAnotherApp() async throws {
        try await withService { service in
            let (photos, notes) = (try await service.createApp(), try await service.createApp("com.example.notes"))
            let code = try await photos.person().device(.phone).linkCode()
            #expect(try await notes.register(.pad, code: code).code == "link-code-invalid")
            #expect(try await photos.register(.pad, code: code).status == 201)
        }
    }

    @Test func throttlesGuessesOfLinkCodes() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let phone = try await app.person().device(.phone)
            let code = try await phone.linkCode()
            for _ in 0..<10 { #expect(try await app.register(.pad, code: "00000000").status == 422) }
            let slowed = try await app.register(.pad, code: code)
            #expect(slowed.status == 429)
            #expect(slowed.code == "throttled")
            let wait = try #require(slowed["Retry-After"].flatMap { Int($0) })
            #expect((1...60).contains(wait))
            // A registration without a code is not throttled.
            #expect(try await app.register(.pad).status == 201)
            service.time.pass(.seconds(wait))
            #expect(try await app.register(.pad, code: code).status == 201)
        }
    }

    @Test func acceptsALinkCodeFromOneOfConcurrentDevices() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let code = try await app.person().device(.phone).linkCode()
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await app.register(.pad, code: code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1)
        }
    }

    @Test func movesADeviceWithItsArchives() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let (mine, theirs) = (app.person(), app.person())
            let phone = try await mine.device(.phone)
            let tablet = try await theirs.device(.phone)
            let left = try await theirs.device(.phone)
            let stays = try await left.upload("Theirs") { $0.scene = "editor" }
            let early = try await tablet.upload("Early")
            service.time.pass(.minutes(1))
            let own = try await phone.upload("Mine")
            service.time.pass(.minutes(1))
            let late = try await tablet.upload("Late")

            let linked = try await tablet.request(
                "POST", "/v1/devices/self/link", json: Wire.Link(code: try await phone.linkCode()))
            #expect(linked.status == 200)
            let device = try linked.json(Wire.Device.self)
            #expect(device.user == phone.user)
            #expect(device.id == tablet.id)
            #expect(device.isSelf)

            // The token stays valid, and the captures are ordered by time among the new user's captures.
            #expect(try await tablet.latest().served?.archive == late.id)
            #expect(try await phone.history().map { $0.id.lowercased() } == [late.id, own.id, early.id])
            #expect(try await phone.latest().body == late.bytes)
            let revisions = try await phone.history().map(\.revision)
            #expect(Set(revisions).count == 3)
            #expect(try await phone.manifest().revision >= revisions.max() ?? 0)
            // The old user's other archives did not move.
            #expect(try await left.latest().code == "nothing-stored")
            #expect(try await left.latest(in: "editor").served == .full(stays))
            #expect(try await phone.latest(in: "editor").code == "nothing-stored")
            #expect(try await left.request("GET", early.path).status != 200)
        }
    }

    @Test func keepsTheArchivesOfADeviceThatLinksToItsOwnUser() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            let upload = try await phone.upload("Albums")
            for code in [try await phone.linkCode(), try await other.linkCode()] {
                let linked = try await phone.request("POST", "/v1/devices/self/link", json: Wire.Link(code: code))
                #expect(linked.status == 200)
                #expect(try await phone.read(upload).body == upload.bytes)
                #expect(try await other.latest().served?.archive == upload.id)
            }
        }
    }

    @Test func keepsAQuarantineWhenTheDeviceMoves() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let phone = try await app.person().device(.phone)
            let moving = try await app.person().device(.phone)
            let good = try await moving.upload("Albums")
            let bad = try await moving.upload("Albums")
            _ = try await moving.latest()
            _ = try await moving.report(.crashed, of: bad)
            let code = try await phone.linkCode()
            #expect(
                try await moving.request("POST", "/v1/devices/self/link", json: Wire.Link(code: code)).status == 200)
            #expect(try await moving.latest().served?.archive == good.id)
            #expect(try await phone.latest().served?.archive == good.id)
            #expect(try await moving.report(.restored, of: bad).status == 204)
            #expect(try await phone.latest().served?.archive == bad.id)
        }
    }

    @Test func sendsChangesOfAMoveToBothUsers() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let (mine, theirs) = (app.person(), app.person())
            let phone = try await mine.device(.phone)
            let (leaves, stays) = (try await theirs.device(.phone), try await theirs.device(.phone))
            let upload = try await leaves.upload()
            let code = try await phone.linkCode()
            let (arrivals, departures, own) = (
                try await phone.events(), try await stays.events(), try await leaves.events()
            )
            for events in [arrivals, departures, own] { try await events.begin() }
            _ = try await leaves.request("POST", "/v1/devices/self/link", json: Wire.Link(code: code))
            #expect(try await departures.changes(1).first?.archive?.lowercased() == upload.id)
            let told = try await arrivals.changes(2)
            #expect(told.contains { $0.kind == .archiveStored && $0.archive?.lowercased() == upload.id })
            #expect(told.contains { $0.kind == .deviceRegistered && $0.device?.lowercased() == leaves.id.lowercased() })
            // The moved device's stream belonged to the device's old user, so the stream has ended.
            #expect(try await own.next() == nil)
        }
    }

    @Test func requiresALinkCodeIfTheAppSaysSo() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let phone = try await app.person().device(.phone)
            try await service.set(app) { $0.registration = .linkOnly }
            let refused = try await app.register(.pad)
            #expect(refused.status == 403)
            #expect(refused.code == "link-code-required")
            #expect(try await app.register(.pad, code: try await phone.linkCode()).status == 201)
        }
    }
}
