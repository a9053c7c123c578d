import PlacekeeperAPI
import Testing

@Suite(.timeLimit(.minutes(20))) struct FollowingTests {
    @Test func sendsAnUploadToAnotherDevice() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            let events = try await pad.events()
            try await events.begin()
            let upload = try await phone.upload("Albums")
            let change = try #require(try await events.changes(1).first)
            #expect(change.kind == .archiveStored)
            #expect(change.revision == upload.revision)
            #expect(change.archive?.lowercased() == upload.id)
            #expect(change.device?.lowercased() == phone.id.lowercased())
            #expect(change.scene == "main")
        }
    }

    @Test func sendsEveryKindOfChange() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let events = try await phone.events()
            try await events.begin()
            let pad = try await person.device(.pad)
            let upload = try await phone.upload("Albums")
            _ = try await pad.latest()
            _ = try await pad.report(.restored, of: upload)
            _ = try await phone.request("DELETE", upload.path)
            _ = try await phone.request("DELETE", "/v1/scenes/main")
            _ = try await phone.request("DELETE", "/v1/devices/\(pad.id)")
            let told = try await events.changes(6)
            #expect(
                told.map(\.kind) == [
                    .deviceRegistered, .archiveStored, .outcomeReported, .archiveDeleted, .sceneForgotten,
                    .deviceRevoked,
                ])
            let polled = try await phone.changes(after: told[0].revision - 1).json(Wire.Page<Wire.Change>.self)
            #expect(polled.items == told)
            #expect(polled.next == nil)
        }
    }

    @Test func replaysMissedChangesAfterAReconnect() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            var events: EventReader? = try await pad.events()
            try await events?.begin()
            let first = try await phone.upload()
            #expect(try await events?.changes(1).map(\.revision) == [first.revision])
            let position = events?.lastEventID
            events = nil
            let missed = [try await phone.upload(), try await phone.upload()]
            let resumed = try await pad.events(after: position)
            #expect(try await resumed.changes(2).map(\.revision) == missed.map(\.revision))
            let next = try await phone.upload()
            #expect(try await resumed.changes(1).map(\.revision) == [next.revision])
        }
    }

    @Test func replaysMissedChangesAfterARestart() async throws {
        try await withDevices(.phone, .pad) { service, phone, pad in
            let events = try await pad.events()
            try await events.begin()
            let first = try await phone.upload()
            #expect(try await events.changes(1).map(\.revision) == [first.revision])
            let unread = try await phone.upload()
            let position = events.lastEventID
            try await service.restart()
            let after = try await phone.upload()
            let resumed = try await pad.events(after: position)
            #expect(try await resumed.changes(2).map(\.revision) == [unread.revision, after.revision])
            // The old stream sent its remaining events before its end.
            #expect(try await events.changes(1).map(\.revision) == [unread.revision])
            #expect(try await events.next() == nil)
        }
    }

    @Test func resumesAtTheFirstIDWithoutAnEvent() async throws {
        try await withDevice { _, phone in
            let events = try await phone.events()
            try await events.begin()
            let position = events.lastEventID
            let upload = try await phone.upload()
            let resumed = try await phone.events(after: position)
            #expect(try await resumed.changes(1).map(\.revision) == [upload.revision])
        }
    }

    @Test func replaysAllChangesToReconnectingReaders() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            let begin = try await pad.events()
            try await begin.begin()
            let position = begin.lastEventID
            async let uploads = withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<40 { group.addTask { try await phone.upload().revision } }
                return try await group.reduce(into: [Int64]()) { $0.append($1) }
            }
            var (heard, last) = ([Int64](), position)
            while heard.count < 40 {
                let events = try await pad.events(after: last)
                heard += try await events.changes(min(7, 40 - heard.count)).map(\.revision)
                last = events.lastEventID
            }
            #expect(heard == heard.sorted())
            #expect(try await uploads.sorted() == heard)
        }
    }

    @Test func sendsResetAfterALongAbsence() async throws {
        try await withDevice { service, phone in
            let events = try await phone.events()
            try await events.begin()
            let position = events.lastEventID
            _ = try await phone.upload()
            service.time.pass(.days(31))
            try await service.prune()
            let kept = try await phone.upload()
            let reset = try #require(try await phone.events(after: position).next())
            #expect(reset.name == "reset")
            #expect(try await phone.changes(after: try #require(Int64(position))).code == "changes-pruned")
            #expect(try await phone.manifest().revision == kept.revision)
            #expect(reset.id == "\(kept.revision)")
        }
    }

    @Test func endsTheStreamIfTheTokenIsRevoked() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            let events = try await pad.events()
            try await events.begin()
            #expect(try await phone.request("DELETE", "/v1/devices/\(pad.id)").status == 204)
            _ = try await phone.upload("Secret")
            #expect(try await events.next() == nil)
        }
    }

    @Test func freesTheStreamsOfClosedConnections() async throws {
        try await withDevice { service, phone in
            var readers: [EventReader] = []
            for _ in 0..<64 { readers.append(try await phone.events()) }
            let refused = try await phone.request("GET", "/v1/events")
            #expect(refused.status == 429)
            #expect(refused.code == "too-many-followers")
            #expect(refused["Retry-After"] != nil)
            readers.removeAll()
            // The service may notice a closed connection only when it sends the next heartbeat.
            var status = 429
            while status == 429 {
                service.sendHeartbeats()
                let line = try Line(port: phone.app.address.port)
                let head = "GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(phone.token)\r\n\r\n"
                let first = try await line.run { connection in
                    try connection.send(Array(head.utf8))
                    return try connection.head().first
                }
                status = first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
            }
            #expect(status == 200)
        }
    }

    @Test func sendsCommentsOnAQuietStream() async throws {
        try await withDevice { service, phone in
            let events = try await phone.events()
            try await events.begin()
            service.sendHeartbeats()
            try await events.comment()
            let upload = try await phone.upload()
            #expect(try await events.changes(1).map(\.revision) == [upload.revision])
        }
    }
}
