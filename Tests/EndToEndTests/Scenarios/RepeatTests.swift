import PlacekeeperAPI
import Testing

@Suite(.timeLimit(.minutes(20))) struct RepeatTests {
    @Test func answersARepeatedUploadAsStored() async throws {
        try await withDevice { service, phone in
            let upload = try await phone.upload("Albums")
            let newer = try await phone.upload("Albums", "Lisbon")
            service.time.pass(.minutes(1))
            let again = try await phone.put(upload)
            #expect(again.status == 200)
            #expect(again.revision == upload.revision)
            #expect(again.headRevision == newer.revision)
            #expect(try await phone.history().count == 2)
        }
    }

    @Test func answersARepeatedUploadAsStoredDespiteItsPrecondition() async throws {
        try await withDevice { _, phone in
            // The device repeats the upload because the response was lost.
            let upload = try await phone.upload { $0.ifHead = "none" }
            #expect(try await phone.put(upload).status == 200)
        }
    }

    @Test func rejectsOtherBytesUnderTheSameID() async throws {
        try await withDevice { _, phone in
            let upload = try await phone.upload("Albums")
            var other = try phone.capture("Lisbon")
            other.id = upload.id
            let reply = try await phone.put(other)
            #expect(reply.status == 409)
            #expect(reply.code == "archive-differs")
            #expect(reply.headRevision == upload.revision)
            #expect(try await phone.read(upload).body == upload.bytes)
            // The same id in another scene names another archive.
            other.scene = "editor"
            #expect(try await phone.put(other).status == 201)
        }
    }

    @Test func rejectsARepeatedUploadAfterTheDeletion() async throws {
        try await withDevice { service, phone in
            let first = try await phone.upload()
            let upload = try await phone.upload()
            let deleted = try await phone.request("DELETE", upload.path)
            #expect(deleted.status == 204)
            #expect(deleted.headRevision == first.revision)
            for method in ["GET", "DELETE"] {
                #expect(try await phone.request(method, upload.path).code == "archive-deleted")
            }
            let again = try await phone.put(upload)
            #expect(again.status == 410)
            #expect(again.code == "archive-deleted")
            #expect(try await phone.latest().served == .full(first))

            // A tombstone is kept for thirty days.
            service.time.pass(.days(29))
            try await service.prune()
            #expect(try await phone.put(upload).status == 410)
            service.time.pass(.days(2))
            try await service.prune()
            #expect(try await phone.put(upload).status == 201)
        }
    }

    @Test func storesConcurrentRepeatsOnce() async throws {
        try await withDevice { _, phone in
            let upload = try phone.capture("Albums")
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await phone.put(upload).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
            #expect(try await phone.history().count == 1)
        }
    }
}
