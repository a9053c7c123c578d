import PlacekeeperAPI
import Testing

@Suite(.timeLimit(.minutes(20))) struct OutcomeTests {
    @Test(arguments: [Wire.Outcome.Result.crashed, .failed])
    func quarantinesACrashingArchiveAndServesThePreviousOne(result: Wire.Outcome.Result) async throws {
        try await withService { service in
            let person = try await service.person()
            let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
            let third = try await person.device(.phone)
            let good = try await phone.upload("Albums")
            service.time.pass(.minutes(1))
            let bad = try await phone.upload("Albums", "Lisbon")
            #expect(try await other.latest().served == .full(bad))
            #expect(try await other.report(.began, of: bad).status == 204)
            #expect(
                try await other.report(result, of: bad, path: "root/list", step: 1, duration: 0.25).status == 204)

            for device in [third, other] {
                let answer = try await device.latest()
                #expect(answer.served == .full(good, supersededBy: bad))
                #expect(answer["Placekeeper-Superseded"] == "\(bad.revision); seconds=60")
            }
            let explanation = try await third.explanation()
            #expect(explanation.candidates.map { $0.reasons.map(\.code) } == [["quarantined"], []])
            let reason = try #require(explanation.candidates.first?.reasons.first)
            #expect(reason.archive == result.rawValue)
            #expect(reason.path == "root/list" && reason.step == 1 && reason.duration == 0.25)
            // The device that made the archive has shown its state.
            let own = try await phone.latest()
            #expect(own.served == .full(bad))
            #expect(own["Placekeeper-Caution"] == (result == .crashed ? "crashed-elsewhere" : nil))
            let reasons = try await phone.explanation().candidates.map(\.reasons)
            #expect(reasons.map { $0.map(\.code) } == [result == .crashed ? ["crashed-elsewhere"] : []])
            #expect(reasons[0].allSatisfy { $0.blocks == .automatic && $0.path == "root/list" })
            // An answer that the device already has says it too.
            let tag = try #require(own["ETag"])
            let unchanged = try await phone.latest(fields: [("If-None-Match", tag)])
            #expect(unchanged.status == 304 && unchanged["Placekeeper-Caution"] == own["Placekeeper-Caution"])
            // The quarantine does not affect another idiom or another version of the app.
            #expect(try await person.device(.pad).latest().served == .place(bad))
            #expect(try await other.running { $0.bundleVersion = "42.1" }.latest().served == .full(bad))
            #expect(
                try await other.running { $0.bundleVersion = "42.0" }.latest().served == .full(good, supersededBy: bad))
        }
    }

    @Test func endsTheQuarantineAfterASuccessfulRestore() async throws {
        try await withService { service in
            let person = try await service.person()
            let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
            let third = try await person.device(.phone)
            let upload = try await phone.upload()
            _ = try await other.latest()
            _ = try await other.report(.crashed, of: upload)
            #expect(try await third.latest().refusals == [["quarantined"]])
            // The device requests the archive by its id.
            #expect(try await other.restorable(upload).served == .full(upload))
            #expect(try await other.report(.restored, of: upload).status == 204)
            #expect(try await third.latest().served == .full(upload))
            #expect(try await phone.latest()["Placekeeper-Caution"] == nil)
        }
    }

    @Test func endsTheQuarantineAfterASuccessOfTheDeviceThatMadeTheArchive() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            let upload = try await phone.upload()
            _ = try await other.latest()
            _ = try await other.report(.crashed, of: upload)
            #expect(try await other.latest().refusals == [["quarantined"]])
            #expect(try await phone.latest()["Placekeeper-Caution"] == "crashed-elsewhere")
            #expect(try await phone.report(.restored, of: upload).status == 204)
            #expect(try await phone.latest()["Placekeeper-Caution"] == nil)
            #expect(try await other.latest().served == .full(upload))
        }
    }

    /// The crash is recorded for the version that crashed, although the updated app proves it.
    @Test func recordsACrashAlsoWhenAnUpdatedAppAsks() async throws {
        try await withService { service in
            let person = try await service.person()
            let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
            let third = try await person.device(.phone)
            let good = try await phone.upload()
            let bad = try await phone.upload()
            _ = try await other.latest()
            _ = try await other.report(.began, of: bad)
            let updated = other.launchedAgain().running { $0.bundleVersion = "43" }
            #expect(try await updated.latest().served == .full(bad))
            #expect(try await third.latest().served == .full(good, supersededBy: bad))
            #expect(try await phone.latest()["Placekeeper-Caution"] == "crashed-elsewhere")
        }
    }

    @Test func countsAnUnfinishedRestoreAsFailedAtTheNextLaunch() async throws {
        try await withService { service in
            let person = try await service.person()
            let (phone, other) = (try await person.device(.phone), try await person.device(.phone))
            let good = try await phone.upload()
            let bad = try await phone.upload()
            _ = try await other.latest()
            _ = try await other.report(.began, of: bad)
            // Until the app of the device `other` is launched again, it may still be restoring.
            #expect(try await phone.latest().served == .full(bad))
            #expect(try await other.latest().served == .full(bad))
            let widget = try await other.request("GET", "/v1/scenes/main/archives/latest?" + other.query)
            #expect(widget.served == .full(bad))
            #expect(try await other.launchedAgain().explanation().served == good.id)
            #expect(try await other.launchedAgain().latest().served == .full(good, supersededBy: bad))
            #expect(try await person.device(.phone).latest().served == .full(good, supersededBy: bad))
            #expect(try await phone.latest()["Placekeeper-Caution"] == "crashed-elsewhere")
        }
    }

    @Test func doesNotServeAnAbandonedArchiveToItsDeviceAgain() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            let first = try await phone.upload()
            let second = try await phone.upload()
            _ = try await other.latest()
            #expect(try await other.report(.abandoned, of: second).status == 204)
            #expect(try await other.latest().served == .full(first, supersededBy: second))
            #expect(try await phone.latest().served == .full(second))
            #expect(try await other.explanation().candidates.first?.reasons.map(\.code) == ["abandoned"])
        }
    }

    @Test func acceptsAnOutcomeOnlyFromADeviceThatWasServed() async throws {
        try await withDevices(.phone, .phone) { service, phone, other in
            let upload = try await phone.upload()
            let answer = try await other.report(.crashed, of: upload)
            #expect(answer.status == 409)
            #expect(answer.code == "outcome-not-served")
            #expect(try await phone.latest().served == .full(upload))
            // The service does not treat an explanation as serving the archive.
            _ = try await other.explanation()
            #expect(try await other.report(.crashed, of: upload).status == 409)
            // The service treats a 304 response as serving the archive.
            let tag = try #require(try await phone.latest()["ETag"])
            #expect(try await phone.latest(fields: [("If-None-Match", tag)]).status == 304)
            #expect(try await phone.report(.restored, of: upload).status == 204)
            // The service remembers across a restart that the archive was served.
            _ = try await other.latest()
            try await service.restart()
            #expect(try await other.report(.crashed, of: upload).status == 204)
            let unknown = try phone.capture()
            #expect(try await phone.report(.crashed, of: unknown).code == "archive-not-found")
        }
    }

    @Test func namesTheReasonsOfEveryRefusedCandidate() async throws {
        try await withDevices(.phone, .pad) { service, phone, pad in
            _ = try await phone.running { $0.bundleVersion = "43" }.upload("Albums") { $0.age = .days(29) }
            service.time.pass(.days(2))
            let crashed = try await phone.upload { $0.age = .minutes(5) }
            _ = try await phone.latest()
            _ = try await phone.report(.crashed, of: crashed)
            _ = try await pad.upload { $0.age = .minutes(1) }

            let answer = try await phone.latest()
            #expect(answer.status == 406)
            #expect(
                answer.refusals == [
                    ["idiom-not-accepted", "no-place"], ["quarantined"], ["bundle-version-newer", "too-old"],
                ])
            let candidates = try #require(try answer.json(Wire.Problem.self).candidates)
            #expect(candidates.allSatisfy { $0.fidelity == .none })
            let version = candidates[2].reasons[0]
            #expect(version.archive == "43")
            #expect(version.required == "42")
            #expect(try await phone.explanation().candidates.map { $0.reasons.map(\.code) } == answer.refusals)
        }
    }
}
