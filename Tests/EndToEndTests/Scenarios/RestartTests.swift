import PlacekeeperSystem
import PlacekeeperAPI
import Testing

/// Tests of scenarios in which the process ends.
@Suite(.timeLimit(.minutes(20)), .onOwnThreads) struct RestartTests {
    @Test func replaysMissedChangesAfterAKill() async throws {
        var service = try RunningService()
        let app = try TestApp(key: service.createApp(), address: ServiceAddress(port: service.port))
        let person = app.person()
        let (phone, pad) = (try await person.device(.phone), try await person.device(.pad))
        var events = try await pad.events()
        try await events.begin()
        var uploads: [Upload] = []
        for _ in 0..<3 {
            uploads.append(try await phone.upload("Albums"))
            #expect(try await events.changes(1).map(\.revision) == uploads.suffix(1).map(\.revision))
            // The reader does not read this change, so the new stream must send it.
            uploads.append(try await phone.upload("Albums"))
            let position = events.lastEventID
            service.kill()
            service = try RunningService(data: service.data)
            app.address.port = service.port
            uploads.append(try await phone.upload("Albums"))
            events = try await pad.events(after: position)
            #expect(try await events.changes(2).map(\.revision) == uploads.suffix(2).map(\.revision))
        }
        #expect(try await phone.history().map { $0.id.lowercased() } == uploads.reversed().map(\.id))
        for upload in uploads { #expect(try await phone.read(upload).body == upload.bytes) }
    }

    @Test func finishesAnOpenUploadBeforeTheProcessEnds() async throws {
        let service = try RunningService()
        let app = try TestApp(key: service.createApp(), address: ServiceAddress(port: service.port))
        let phone = try await app.person().device(.phone)
        let events = try await phone.events()
        try await events.begin()
        let upload = try phone.capture("Albums")
        let line = try await phone.begin(upload)
        service.process.send(SIGTERM)
        // The event stream ends gracefully, because it has sent all changes.
        #expect(try await events.next() == nil)
        let reply = try await phone.finish(upload, on: line)
        #expect(reply.status == 201)
        #expect(service.process.wait() == .exit(0))

        let again = try RunningService(data: service.data)
        app.address.port = again.port
        #expect(try await phone.latest().served?.archive == upload.id)
    }

    @Test func keepsOutcomesTombstonesAndLinkCodesAfterAKill() async throws {
        let service = try RunningService()
        let app = try TestApp(key: service.createApp(), address: ServiceAddress(port: service.port))
        let person = app.person()
        let phone = try await person.device(.phone)
        let good = try await phone.upload("Albums")
        let bad = try await phone.upload("Albums")
        let deleted = try await phone.upload("Albums")
        _ = try await phone.request("DELETE", deleted.path)
        _ = try await phone.latest()
        _ = try await phone.report(.crashed, of: bad)
        let code = try await phone.linkCode()
        service.kill()

        let again = try RunningService(data: service.data)
        app.address.port = again.port
        #expect(try await phone.latest().served == .full(good, supersededBy: bad))
        #expect(try await phone.put(deleted).code == "archive-deleted")
        #expect(try await phone.put(good).status == 200)
        #expect(try await app.register(.pad, code: code).status == 201)
        #expect(try await app.register(.pad, code: code).code == "link-code-invalid")
    }
}
