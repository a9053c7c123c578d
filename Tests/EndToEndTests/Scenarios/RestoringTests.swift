import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

@Suite(.timeLimit(.minutes(20))) struct RestoringTests {
    @Test func servesADeviceItsOwnStateAtLaunch() async throws {
        try await withDevice { _, phone in
            #expect(try await phone.latest().code == "nothing-stored")
            let upload = try await phone.upload()
            let latest = try await phone.latest()
            #expect(latest.served == .full(upload))
            #expect(latest.body == upload.bytes)
            #expect(latest.headRevision == upload.revision)
            #expect(latest["Placekeeper-Device"]?.lowercased() == phone.id.lowercased())
        }
    }

    @Test func servesTheFullStateToAnotherPhone() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let upload = try await phone.upload("Albums")
            let other = try await person.device(.phone)
            #expect(try await other.latest().served == .full(upload))
            #expect(try await other.latest(of: "self").code == "nothing-stored")
            #expect(try await other.latest(of: phone.id).served == .full(upload))
        }
    }

    @Test func servesThePlaceOfAPhoneToAPad() async throws {
        try await withService { service in
            let person = try await service.person()
            let upload = try await person.device(.phone).upload("Albums", "Lisbon", "Tram 28")
            let pad = try await person.device(.pad)
            #expect(try await pad.latest().served == .place(upload))
            let places = try await pad.places()
            #expect(places.map(\.archive.place) == [["Albums", "Lisbon", "Tram 28"]])
            #expect(places.first?.fidelity == .place)
            #expect(places.first?.isHead == true)
            #expect(places.first?.device?.name == "My phone")
            let explanation = try await pad.explanation()
            #expect(explanation.served?.lowercased() == upload.id)
            #expect(explanation.candidates.first?.reasons.map(\.code) == ["idiom-not-accepted"])
            #expect(explanation.candidates.first?.fidelity == .place)
        }
    }

    @Test func refusesAPhonesArchiveWithoutAPlaceToAPad() async throws {
        try await withService { service in
            let person = try await service.person()
            let upload = try await person.device(.phone).upload()
            let answer = try await person.device(.pad).latest()
            #expect(answer.status == 406)
            #expect(answer.code == "nothing-compatible")
            #expect(answer.refusals == [["idiom-not-accepted", "no-place"]])
            #expect(answer.headRevision == upload.revision)
            let reason = try #require(answer.json(Wire.Problem.self).candidates?.first?.reasons.first)
            #expect(reason.archive == "phone")
            #expect(reason.required == "pad")
            #expect(reason.blocks == .full)
        }
    }

    @Test func servesAnOlderArchiveWithAPlace() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let older = try await phone.upload("Albums")
            service.time.pass(.seconds(90))
            let head = try await phone.upload()
            let answer = try await person.device(.pad).latest()
            #expect(answer.served == .place(older, supersededBy: head))
            #expect(answer["Placekeeper-Superseded"] == "\(head.revision); seconds=90")
            #expect(answer.headRevision == head.revision)
        }
    }

    @Test func servesThePhonesFullStateToAPadIfPolicyAndLayoutAllow() async throws {
        try await withService { service in
            let person = try await service.person { $0.policy.acceptedIdioms = ["pad": ["phone"]] }
            let phone = try await person.device(.phone).running { $0.layout = .regular }
            let pad = try await person.device(.pad)
            let upload = try await phone.upload("Albums")
            #expect(try await pad.running { $0.layout = .regular }.latest().served == .full(upload))
            #expect(try await pad.latest().served == .full(upload))
            #expect(try await pad.running { $0.layout = .compact }.latest().served == .place(upload))
            // The policy accepts only phones' archives on pads, not the reverse.
            let answer = try await pad.upload("Albums")
            #expect(try await phone.latest().served == .place(answer))
        }
    }

    @Test func refusesAPlaceIfThePolicyAllowsNone() async throws {
        try await withService { service in
            let person = try await service.person { $0.policy.allowsPlace = false }
            _ = try await person.device(.phone).upload("Albums")
            #expect(try await person.device(.pad).latest().refusals == [["idiom-not-accepted", "place-not-allowed"]])
        }
    }

    struct Versions: Sendable {
        var saved: @Sendable (inout Wire.Context) -> Void
        var asking: @Sendable (inout Wire.Context) -> Void
        /// The expected refusal. Nil if the archive is served.
        var refusal: String?
        /// Whether only the place is served.
        var isPlace = false
    }

    static let versions: [Versions] = [
        Versions(saved: { $0.bundleVersion = "1.9" }, asking: { $0.bundleVersion = "1.10" }),
        Versions(
            saved: { $0.bundleVersion = "1.10" }, asking: { $0.bundleVersion = "1.9" }, isPlace: true),
        Versions(saved: { $0.bundleVersion = "1.0" }, asking: { $0.bundleVersion = "1" }),
        Versions(saved: { $0.bundleVersion = nil }, asking: { $0.bundleVersion = "1" }),
        Versions(
            saved: { $0.bundleVersion = "1" }, asking: { $0.bundleVersion = nil }, isPlace: true),
        Versions(saved: { $0.systemVersion = "17.9" }, asking: { $0.systemVersion = "17.4" }),
        Versions(
            saved: { $0.systemVersion = "18.0" }, asking: { $0.systemVersion = "17.4" }, isPlace: true),
        // If the archive and the device both have a state version, only the state versions are compared.
        Versions(
            saved: { $0 = Wire.Context(idiom: .phone, bundleVersion: "50", systemVersion: "18.0", stateVersion: 3) },
            asking: { $0.stateVersion = 3 }),
        Versions(saved: { $0.stateVersion = 2 }, asking: { $0.stateVersion = 3 }),
        Versions(saved: { $0.stateVersion = 4 }, asking: { $0.stateVersion = 3 }, refusal: "state-version-newer"),
        Versions(
            saved: { $0 = Wire.Context(idiom: .phone, bundleVersion: "50", stateVersion: 3) }, asking: { _ in },
            isPlace: true),
    ]

    @Test(arguments: versions)
    func comparesTheVersionsOfArchiveAndDevice(versions: Versions) async throws {
        try await withService { service in
            let person = try await service.person()
            let saving = try await person.device(.phone).running(versions.saved)
            let asking = try await person.device(.phone).running(versions.asking)
            let upload = try await saving.upload("Albums")
            let answer = try await asking.latest()
            if let refusal = versions.refusal {
                #expect(answer.status == 406)
                #expect(answer.refusals == [[refusal]])
            } else {
                #expect(answer.served == (versions.isPlace ? .place(upload) : .full(upload)))
            }
        }
    }

    @Test func servesAnOlderArchiveToAnOlderVersionIfTheNewerHasNoPlace() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let older = try await phone.upload()
            let newer = try await person.device(.phone).running { $0.bundleVersion = "43" }.upload()
            #expect(try await phone.latest().served == .full(older, supersededBy: newer))
            let updated = phone.running { $0.bundleVersion = "43" }
            #expect(try await updated.latest().served == .full(newer))
        }
    }

    @Test func servesThePlaceOfAPhoneToAMacWithOtherVersionNumbers() async throws {
        try await withService { service in
            let person = try await service.person { $0.policy.acceptedIdioms = ["mac": ["phone"]] }
            let upload = try await person.device(.phone).running { $0.bundleVersion = "900" }.upload("Albums")
            let mac = try await person.device(.mac).running { $0.bundleVersion = "1" }
            #expect(try await mac.latest().served == .place(upload))
        }
    }

    @Test func servesAnArchiveForThirtyDays() async throws {
        try await withDevice { service, phone in
            let upload = try await phone.upload("Albums") { $0.age = .days(10) }
            service.time.pass(.days(20))
            #expect(try await phone.latest().served == .full(upload))
            service.time.pass(.seconds(1))
            let answer = try await phone.latest()
            #expect(answer.status == 406)
            #expect(answer.refusals == [["too-old"]])
        }
    }

    @Test func servesAnArchiveByIDWithinThePolicy() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let older = try await phone.upload("Albums")
            let newer = try await phone.upload()
            let pad = try await person.device(.pad)
            #expect(try await pad.restorable(older).served == .place(older, supersededBy: newer))
            #expect(try await pad.restorable(newer).refusals == [["idiom-not-accepted", "no-place"]])
        }
    }

    @Test func sendsAChangedRestorationSettingToClients() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let upload = try await phone.upload()
            let before = try await phone.manifest()
            #expect(before.restoration == .auto)
            #expect(before.revision == upload.revision)
            #expect(before.scenes.map(\.head) == [upload.revision])
            let events = try await phone.events()
            try await events.begin()
            try await service.set(person.app) { $0.restoration = .off }
            #expect(try await events.next()?.name == "settingsChanged")
            #expect(try await phone.manifest().restoration == .off)
        }
    }
}
