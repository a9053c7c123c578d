import PlacekeeperAPI
import Testing

@Suite(.timeLimit(.minutes(20))) struct OrderTests {
    @Test func keepsTheHeadAfterARestoreWithoutInteraction() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let work = try await phone.upload("Albums", "Lisbon")
            service.time.pass(.minutes(5))
            // The other phone restores the archive and saves its state without an interaction.
            let restored = try #require(try await other.latest().revision)
            let look = try await other.upload("Albums", "Lisbon") { $0.restoredFrom = restored }
            #expect(try await phone.latest().served == .full(work))
            #expect(try await other.latest().served == .full(work))
            #expect(try await other.latest(of: "self").served == .full(look, supersededBy: work))
            #expect(try await phone.history().map { $0.id.lowercased() } == [work.id, look.id])
        }
    }

    @Test func keepsTheHeadAfterABackgroundSave() async throws {
        try await withDevices(.phone, .pad) { service, phone, pad in
            service.time.pass(.minutes(10))
            let work = try await pad.upload("Albums")
            service.time.pass(.minutes(10))
            // The phone saves in the background, an hour after the last interaction.
            let background = try await phone.upload("Settings") { $0.age = .minutes(60) }
            #expect(background.revision > work.revision)
            let latest = try await phone.latest()
            #expect(latest.served == .place(work))
            #expect(latest.headRevision == work.revision)
        }
    }

    @Test func keepsTheHeadAfterALateUploadOfAnOfflineDevice() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            let offline = try other.capture("Flight") { $0.age = .days(2) }
            let work = try await phone.upload("Albums")
            #expect(try await other.put(offline).headRevision == work.revision)
            #expect(try await phone.latest().served == .full(work))
            // The late upload is still listed as a place.
            #expect(try await phone.places().map { $0.archive.id.lowercased() } == [work.id, offline.id])
        }
    }

    @Test func prefersTheLaterRevisionAtTheSameTime() async throws {
        try await withDevice { _, phone in
            _ = try await phone.upload()
            let second = try await phone.upload()
            #expect(try await phone.latest().served == .full(second))
        }
    }

    @Test func keepsALaterCaptureOfTheDeviceAboveASlowUpload() async throws {
        try await withDevice { service, phone in
            var slow = try phone.capture("Albums") { $0.sequence = 1 }
            let line = try await phone.begin(slow)
            service.time.pass(.seconds(5))

            let later = try await phone.upload("Albums", "Lisbon") { $0.sequence = 2 }
            service.time.pass(.seconds(5))
            let reply = try await phone.finish(slow, on: line)
            #expect(reply.status == 201)
            slow.revision = try #require(reply.revision)
            #expect(slow.revision > later.revision)
            #expect(reply.headRevision == later.revision)
            #expect(try await phone.latest().served == .full(later))
            #expect(try await phone.history().map(\.sequence) == [2, 1])
        }
    }

    @Test func keepsALaterCaptureOfAnotherDeviceAboveASlowUpload() async throws {
        try await withDevices(.phone, .pad) { service, phone, pad in
            let slow = try phone.capture("Albums") { $0.age = .seconds(1) }
            let line = try await phone.begin(slow)
            service.time.pass(.seconds(5))
            let work = try await pad.upload("Albums", "Lisbon")
            service.time.pass(.seconds(20))
            #expect(try await phone.finish(slow, on: line).headRevision == work.revision)
            let history = try await phone.history()
            #expect(history.map { $0.id.lowercased() } == [work.id, slow.id])
            #expect(history[0].capturedAt.milliseconds - history[1].capturedAt.milliseconds == 6000)
        }
    }

    @Test func refusesASlowUploadOfAForgottenScene() async throws {
        try await withDevice { service, phone in
            let slow = try phone.capture("Secret")
            let line = try await phone.begin(slow)
            service.time.pass(.seconds(5))
            #expect(try await phone.request("DELETE", "/v1/scenes/main").status == 204)
            service.time.pass(.seconds(5))
            #expect(try await phone.finish(slow, on: line).code == "scene-forgotten")
            #expect(try await phone.latest().code == "nothing-stored")
        }
    }

    @Test func ordersCapturesOfADeviceBySequenceBeforeAge() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            // The second capture has an old interaction. The first capture arrives last, and claims a newer
            // interaction.
            let second = try await phone.upload { ($0.sequence, $0.age) = (2, .minutes(60)) }
            let between = try await other.upload { $0.age = .minutes(30) }
            _ = try await phone.upload { ($0.sequence, $0.age) = (1, .zero) }
            #expect(try await phone.latest().served == .full(between))
            #expect(try await phone.latest(of: "self").served == .full(second, supersededBy: between))
        }
    }

    @Test func placesALateCaptureBetweenTwoOfItsDevice() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            // All captures of the phone name one interaction, so that their times do not decide.
            let first = try await phone.upload { $0.sequence = 1 }
            service.time.pass(.seconds(5))
            let third = try await phone.upload { ($0.sequence, $0.age) = (3, .seconds(5)) }
            service.time.pass(.seconds(5))
            let late = try await phone.upload { ($0.sequence, $0.age) = (2, .seconds(10)) }
            let expected = [third, late, first].map(\.id)
            #expect(try await phone.history(limit: 1).map { $0.id.lowercased() } == expected)
            #expect(try await other.latest().served == .full(third))

            // If a restore of the newest capture fails, the late capture is served, and not the first.
            for result in [Wire.Outcome.Result.began, .crashed] {
                #expect(try await other.report(result, of: third).status == 204)
            }
            #expect(try await other.latest().served == .full(late, supersededBy: third))
            // The order survives a restart.
            try await service.restart()
            #expect(try await phone.history().map { $0.id.lowercased() } == expected)
        }
    }

    @Test func ordersCapturesOfADeviceBySequenceAmongCapturesOfAnotherDevice() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let first = try await phone.upload { $0.sequence = 1_700_000_000_000 }
            service.time.pass(.seconds(10))
            // Captured five seconds after the phone's third capture.
            let between = try await other.upload()
            service.time.pass(.seconds(10))
            let third = try await phone.upload { ($0.sequence, $0.age) = (1_700_000_020_000, .seconds(15)) }
            let second = try await phone.upload { ($0.sequence, $0.age) = (1_700_000_010_000, .zero) }
            #expect(
                try await phone.history().map { $0.id.lowercased() } == [between, third, second, first].map(\.id))
            for device in [phone, other] {
                #expect(try await device.latest().served == .full(between))
                #expect(try await device.latest(of: phone.id).served == .full(third, supersededBy: between))
            }
            // A capture with the next sequence and a new interaction is the head.
            let fourth = try await phone.upload { $0.sequence = 1_700_000_030_000 }
            #expect(try await other.latest().served == .full(fourth))
            #expect(try await phone.latest(of: "self").served == .full(fourth))
            #expect(try await other.latest(of: "self").served == .full(between, supersededBy: fourth))
        }
    }

    @Test func keepsLateWorkAboveALaterViewOnlyCaptureAtAnOlderPlace() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let old = try await other.upload("Albums")
            service.time.pass(.seconds(10))
            _ = try await phone.upload("Albums", "Lisbon") { $0.sequence = 1 }
            service.time.pass(.seconds(10))
            // The phone restores the old archive, and sends this state before the work that it did first.
            _ = try await phone.upload("Albums") { ($0.sequence, $0.restoredFrom) = (3, old.revision) }
            let work = try await phone.upload("Albums", "Porto") { ($0.sequence, $0.age) = (2, .seconds(5)) }
            #expect(try await other.latest().served == .full(work))
        }
    }

    @Test func keepsTheOrderIfTheClockIsSetBack() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let before = try await phone.upload()
            service.time.setBack(.days(1))
            service.time.pass(.minutes(1))
            let after = try await other.upload()
            #expect(try await phone.latest().served == .full(after))
            // The interaction age is an interval, so it is valid although the clock was set back.
            _ = try await phone.upload { $0.age = .seconds(30) }
            #expect(try await phone.latest().served == .full(after))
            let history = try await phone.history()
            #expect(history.last?.id.lowercased() == before.id)
            #expect(history[0].capturedAt.milliseconds - history[2].capturedAt.milliseconds == 60_000)

            // The order also survives a restart.
            try await service.restart()
            service.time.pass(.minutes(1))
            let last = try await phone.upload()
            #expect(try await other.latest().served == .full(last))
        }
    }

    @Test func rejectsInvalidInteractionAges() async throws {
        try await withDevice { _, phone in
            let upload = try phone.capture()
            for (age, status) in [
                ("-1", 400), ("1e3", 400), ("", 400), ("1.", 400), (".5", 400), ("31536000", 201),
            ] {
                let reply = try await phone.request(
                    "PUT", upload.path, fields: [("Interaction-Age", age)], body: upload.bytes)
                #expect(reply.status == status, "\(age)")
            }
        }
    }
}
