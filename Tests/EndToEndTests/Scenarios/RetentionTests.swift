import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

@Suite(.timeLimit(.minutes(20))) struct RetentionTests {
    @Test func keepsAPadsOnlyArchiveBesideABusyPhone() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 3 }
            let (pad, phone) = (try await person.device(.pad), try await person.device(.phone))
            let only = try await pad.upload()
            var last: Upload?
            for _ in 0..<10 {
                service.time.pass(.seconds(1))
                last = try await phone.upload()
            }
            try await service.prune()
            let head = try #require(last)
            #expect(try await pad.latest().served == .full(only, supersededBy: head))
            #expect(try await pad.latest().body == only.bytes)
            #expect(try await phone.history().count == 4)
        }
    }

    @Test func keepsTheOnlyArchiveWithAPlaceForAPad() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 3 }
            let (pad, phone) = (try await person.device(.pad), try await person.device(.phone))
            let only = try await phone.upload("Albums")
            for _ in 0..<10 { _ = try await phone.upload() }
            let head = try await phone.upload()
            #expect(try await pad.latest().served == .place(only, supersededBy: head))
        }
    }

    @Test func keepsTheArchiveThatAnOlderVersionWasServed() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 3 }
            let (old, phone) = (try await person.device(.phone), try await person.device(.phone))
            let common = try await phone.upload("Albums")
            #expect(try await old.latest().served == .full(common))
            let updated = phone.running { $0.bundleVersion = "43" }
            for _ in 0..<10 { _ = try await updated.upload() }
            let head = try await updated.upload()
            #expect(try await old.latest().served == .full(common, supersededBy: head))
        }
    }

    @Test func keepsAPadsOnlyArchiveBesideAnotherBusyPad() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 2 }
            let (pad, other) = (try await person.device(.pad), try await person.device(.pad))
            let only = try await pad.upload()
            for _ in 0..<4 { _ = try await other.upload() }
            let head = try await other.upload()
            #expect(try await pad.latest(of: "self").served == .full(only, supersededBy: head))
            #expect(try await pad.history().count == 3)
        }
    }

    @Test func keepsTheAlternativeToAQuarantinedArchive() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 2 }
            let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
            let good = try await phone.upload()
            let bad = try await phone.upload()
            _ = try await phone.latest()
            #expect(try await phone.report(.crashed, of: bad).status == 204)
            for _ in 0..<4 { _ = try await other.upload() }
            let head = try await other.upload()
            #expect(try await phone.latest(of: "self").served == .full(good, supersededBy: head))
            #expect(try await phone.history().count == 4)
        }
    }

    @Test func keepsTheNewestTwentyArchives() async throws {
        try await withDevice { _, phone in
            var uploads: [Upload] = []
            for _ in 0..<25 { uploads.append(try await phone.upload()) }
            let kept = try await phone.history(limit: 7)
            #expect(kept.map { $0.id.lowercased() } == uploads.suffix(20).reversed().map(\.id))
            #expect(try await phone.read(uploads[4]).code == "archive-not-found")
            #expect(try await phone.read(uploads[5]).body == uploads[5].bytes)
        }
    }
}
