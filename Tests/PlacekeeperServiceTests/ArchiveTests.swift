import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

struct ArchiveTests {
    static let first = ArchiveID(high: 0, low: 1)

    @Test func pagesHistoryFromHeadBackwards() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        for number in 1...5 as ClosedRange<UInt64> {
            fixture.clock.advance(.seconds(1))
            try await fixture.upload(number, by: phone)
        }
        let page = try await fixture.service.archives.history(in: "main", below: nil, limit: 2, principal: phone)
            .archives
        #expect(page.map(\.id.low) == [5, 4])
        let rest = try await fixture.service.archives.history(
            in: "main", below: page.last?.position, limit: 1000, principal: phone
        )
        .archives
        #expect(rest.map(\.id.low) == [3, 2, 1])
        #expect(
            try await fixture.service.archives.history(in: "main", below: nil, limit: 0, principal: phone).archives
                .count
                == 1)
    }

    @Test func distinguishesDeletedFromUnknownArchive() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        try await fixture.service.archives.delete(Self.first, in: "main", principal: phone)
        #expect(try await fixture.service.archives.archive(Self.first, in: "main", principal: phone) == .deleted)
        let gone = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.delete(Self.first, in: "main", principal: phone)
        }
        #expect(gone?.code == .archiveDeleted)
        let unknown = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.delete(ArchiveID(high: 9, low: 9), in: "main", principal: phone)
        }
        #expect(unknown?.code == .archiveNotFound)
        guard case .deleted = try await fixture.upload(1, by: phone) else {
            Issue.record("stored again")
            return
        }
    }

    @Test func hidesArchivesOfOtherUsers() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        let stranger = try await fixture.join()
        try await fixture.upload(1, by: phone)
        #expect(try await fixture.service.archives.archive(Self.first, in: "main", principal: stranger) == .none)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.delete(Self.first, in: "main", principal: stranger)
        }
        #expect(error?.code == .archiveNotFound)
        #expect(try await fixture.latest(for: phone).number == 1)
    }

    @Test func refusesCapturesOlderThanForgettingOfScene() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        fixture.clock.advance(.seconds(10))
        try await fixture.service.archives.forget("main", principal: phone)
        fixture.clock.advance(.seconds(10))
        #expect(try await fixture.latest(for: phone).isNothing)
        guard case .forgotten = try await fixture.upload(2, by: phone, age: .seconds(11)) else {
            Issue.record("stored")
            return
        }
        try await fixture.upload(3, by: phone, age: .seconds(9))
        #expect(try await fixture.latest(for: phone).number == 3)
    }

    @Test func refusesScreenshotsUnlessAppAllowsThem() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        let error = await #expect(throws: ServiceError.self) {
            try await fixture.service.archives.putScreenshot(
                [0xFF, 0xD8, 0xFF, 0xE0], for: Self.first, in: "main", principal: phone)
        }
        #expect(error?.code == .screenshotsOff)
        #expect(try await fixture.service.archives.screenshot(for: Self.first, in: "main", principal: phone) == nil)
    }

    @Test func acceptsOnlyImagesWithinLimitOfStoredArchives() async throws {
        let fixture = try await ServiceFixture { $0.allowsScreenshots = true }
        let phone = try await fixture.join()
        try await fixture.upload(1, by: phone)
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
        let put = { (bytes: [UInt8], id: ArchiveID) async throws(ServiceError) in
            try await fixture.service.archives.putScreenshot(bytes, for: id, in: "main", principal: phone)
        }
        try await put(png, Self.first)
        #expect(
            try await fixture.service.archives.screenshot(for: Self.first, in: "main", principal: phone)
                == Screenshot(format: .png, bytes: png))
        for (bytes, code) in [
            ([], .screenshotUnreadable), (Array("GIF89a".utf8), .screenshotUnreadable),
            (Array(png.prefix(7)), .screenshotUnreadable),
            (png + [UInt8](repeating: 0, count: 2 << 20), .screenshotTooLarge),
        ] as [([UInt8], ServiceError.Code)] {
            let error = await #expect(throws: ServiceError.self) { try await put(bytes, Self.first) }
            #expect(error?.code == code)
        }
        let error = await #expect(throws: ServiceError.self) { try await put(png, ArchiveID(high: 9, low: 9)) }
        #expect(error?.code == .archiveNotFound)
    }

    @Test func ranksPlacesByRestorabilityThenTime() async throws {
        let (fixture, phone, pad) = try await ServiceFixture().withDevices(.phone, .pad)
        let mac = try await fixture.join(.mac, with: phone)
        for (number, principal, scene, place) in [
            (1, phone, "main", ["Albums"]), (2, pad, "main", ["Sea"]), (3, mac, "editor", []),
            (4, phone, "editor", ["Draft"]),
        ] as [(UInt64, Principal, String, [String])] {
            fixture.clock.advance(.seconds(1))
            try await fixture.upload(number, by: principal, scene: scene, place: place)
        }
        fixture.clock.advance(.seconds(1))
        try await fixture.upload(5, by: phone, scene: "main", place: ["Lake"], age: .seconds(60))
        let asked = Context(idiom: .pad, bundleVersion: "42")
        let places = try await fixture.service.restores.places(for: asked, limit: 10, principal: pad)
        #expect(places.map(\.archive.id.low) == [4, 2, 1, 3])
        #expect(places.map(\.fidelity) == [.place, .full, .place, nil])
        #expect(places.map(\.isHead) == [true, true, false, false])
        #expect(places.map(\.device?.id) == [phone, pad, phone, mac].map(\.device.id))
        try await fixture.service.devices.revoke(mac.device.id, for: pad)
        let after = try await fixture.service.restores.places(for: asked, limit: 10, principal: pad)
        #expect(after.map(\.archive.id.low) == [4, 2, 1, 3] && after.last?.device == nil)
    }

    @Test func excludesCrashedArchiveFromRestorablePlaces() async throws {
        let (fixture, phone) = try await ServiceFixture().withDevice()
        try await fixture.upload(1, by: phone)
        try await fixture.report(.crashed, of: 1, by: phone)
        let places = try await fixture.service.restores.places(
            for: Context(idiom: .phone, bundleVersion: "42"), limit: 10, principal: phone)
        #expect(places.map(\.fidelity) == [nil])
    }
}
