import Testing

@testable import placekeeper_bench_places

/// The rules of the rivals, as docs/right-place.md describes them.
struct RivalTests {
    private let phone = Seat(device: 0, person: 0)
    private let pad = Seat(device: 1, person: 0)
    private let old = Release(bundleVersion: 1)

    private func state(_ book: Int, _ page: Int, scroll: Int = 0, version: Int = 1) -> Saved {
        Saved(
            screen: Screen(spot: Spot(book: book, page: page), scroll: scroll),
            release: Release(bundleVersion: version), model: .phone)
    }

    private func launch(_ rival: inout some Rival, _ seat: Seat, isOnline: Bool = true) -> Spot? {
        rival.launch(seat, on: .phone, old, isOnline: isOnline)?.spot
    }

    @Test func newestUploadKeepsTheStateThatArrivedLast() {
        var rival = NewestUpload()
        rival.save(state(1, 10), at: phone, wall: 100)
        rival.save(state(2, 20), at: pad, wall: 200)
        rival.sync(pad, on: .pad, old)
        #expect(launch(&rival, phone, isOnline: false) == Spot(book: 1, page: 10))
        // The phone saved earlier, and sends later.
        rival.sync(phone, on: .phone, old)
        #expect(launch(&rival, pad) == Spot(book: 1, page: 10))
    }

    @Test func newestUploadRestoresNoStateOfANewerVersion() {
        var rival = NewestUpload()
        rival.save(state(1, 10), at: pad, wall: 100)
        rival.sync(pad, on: .pad, old)
        rival.save(state(2, 20, version: 2), at: phone, wall: 200)
        rival.sync(phone, on: .phone, old)
        #expect(launch(&rival, pad) == Spot(book: 1, page: 10))
    }

    @Test func newestChangeDoesNotSendAStateAgain() {
        var rival = NewestChange()
        rival.save(state(1, 10), at: phone, wall: 100)
        rival.sync(phone, on: .phone, old)
        rival.save(state(2, 20), at: pad, wall: 200)
        rival.sync(pad, on: .pad, old)
        rival.save(state(1, 10), at: phone, wall: 300)
        rival.sync(phone, on: .phone, old)
        #expect(launch(&rival, phone) == Spot(book: 2, page: 20))
    }

    @Test func furthestKeepsTheGreatestPageOfABook() {
        var rival = Furthest()
        for spot in [(1, 10), (1, 5), (2, 3)] { rival.save(state(spot.0, spot.1), at: phone, wall: 100) }
        rival.sync(phone, on: .phone, old)
        #expect(launch(&rival, pad) == Spot(book: 2, page: 3))
        rival.save(state(1, 7), at: pad, wall: 200)
        #expect(launch(&rival, pad) == Spot(book: 1, page: 10))
    }

    @Test func keyValueStoreKeepsEachKeyOfTheLatestClock() {
        var rival = KeyValueStore()
        rival.save(state(1, 10), at: phone, wall: 300)
        rival.save(state(2, 20), at: pad, wall: 200)
        // The clock of the phone is ahead, so its values win although they are older.
        rival.sync(phone, on: .phone, old)
        rival.sync(pad, on: .pad, old)
        #expect(launch(&rival, pad) == Spot(book: 1, page: 10))
        rival.save(state(2, 21), at: pad, wall: 400)
        #expect(launch(&rival, phone, isOnline: false) == Spot(book: 1, page: 10))
        rival.sync(pad, on: .pad, old)
        #expect(launch(&rival, phone) == Spot(book: 2, page: 21))
    }

    @Test func deviceRestoredFromABackupHasTheLocalState() {
        var rival = NewestUpload()
        rival.save(state(1, 10), at: phone, wall: 100)
        rival.copy(from: phone, to: pad)
        #expect(launch(&rival, pad, isOnline: false) == Spot(book: 1, page: 10))
    }
}
