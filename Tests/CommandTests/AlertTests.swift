import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct AlertTests {
    private static func change(_ subject: String = "a", isOver: Bool = false) -> AlertChange {
        AlertChange(
            Alert(.diskLow, subject, "It is low."), startedAt: Timestamp(milliseconds: 1_750_000_000_000),
            endedAt: isOver ? Timestamp(milliseconds: 1_750_000_060_000) : nil)
    }

    @Test func writesAnAlertAsOneLineOfJSON() {
        #expect(
            Self.change(isOver: true).line
                == #"{"alert":"disk-low","state":"ended","subject":"a","message":"It is low.","#
                + #""startedAt":"2025-06-15T15:06:40.000Z","endedAt":"2025-06-15T15:07:40.000Z"}"#)
    }

    @Test(arguments: ["\"},{\"alert\":\"", "a\nb\r\u{0}\u{2028}\\", "$(reboot) `reboot` ; 'x'", "\u{1F600}é"])
    func escapesHostileNames(_ name: String) throws {
        struct Read: Decodable { var alert, state, subject: String }
        let line = Self.change(name).line
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" })
        let read = try JSONDecoder().decode(Read.self, from: Data(line.utf8))
        #expect(read.subject == name && read.alert == "disk-low" && read.state == "started")
    }

    // The queue

    private let now = ContinuousClock.now

    /// A queue whose mutations are values, as the macros of the tests need.
    private final class Waiting {
        var queue = AlertQueue()
        func next(at time: ContinuousClock.Instant) -> (change: AlertChange, failures: Int)? { queue.next(at: time) }
    }

    @Test func tellsOnlyTheLastChangeOfAnAlertThatWaits() {
        let waiting = Waiting()
        waiting.queue.add(Self.change("a"), at: now)
        waiting.queue.add(Self.change("b"), at: now)
        waiting.queue.add(Self.change("a", isOver: true), at: now)
        #expect(waiting.next(at: now)?.change == Self.change("b"))
        #expect(waiting.next(at: now)?.change == Self.change("a", isOver: true))
        #expect(waiting.next(at: now) == nil)
    }

    @Test func triesAFailedAlertAgainWithLongerPauses() throws {
        let waiting = Waiting()
        waiting.queue.add(Self.change("a"), at: now)
        var (time, pauses) = (now, [Duration]())
        for number in 0... {
            let (change, failures) = try #require(waiting.next(at: time))
            #expect(failures == number)
            guard waiting.queue.retry(change, after: failures + 1, at: time) else { break }
            let pause = AlertQueue.pause * (1 << number)
            #expect(waiting.next(at: time + pause - .nanoseconds(1)) == nil)
            // Another alert doesn't wait for the failed one.
            waiting.queue.add(Self.change("b"), at: time)
            #expect(waiting.next(at: time)?.change == Self.change("b"))
            pauses.append(pause)
            time += pause
        }
        #expect(pauses.map(\.components.seconds) == [2, 4, 8, 16, 32, 64, 128])
    }

    @Test func forgetsAFailedStartWhenTheEndWaits() throws {
        let waiting = Waiting()
        waiting.queue.add(Self.change("a"), at: now)
        let start = try #require(waiting.next(at: now))
        waiting.queue.add(Self.change("a", isOver: true), at: now)
        let isTriedAgain = waiting.queue.retry(start.change, after: 1, at: now)
        #expect(isTriedAgain)
        #expect(waiting.next(at: now + .seconds(60))?.change == Self.change("a", isOver: true))
        #expect(waiting.next(at: now + .seconds(60)) == nil)
    }

    @Test func waitsForABoundedNumberOfAlerts() {
        let waiting = Waiting()
        for number in 0..<AlertQueue.limit + 7 { waiting.queue.add(Self.change("\(number)"), at: now) }
        var count = 0
        while waiting.next(at: now) != nil { count += 1 }
        #expect(count == AlertQueue.limit)
    }

    // What is watched

    @Test func countsTheFailedLogInsOfFiveMinutes() {
        var window = LogInWindow()
        // The first look is just after the start of the service.
        let looks = [
            (10, 3, 3), (100, 19, 19), (309, 20, 20), (310, 20, 17), (400, 20, 1), (610, 20, 0), (5000, 21, 1),
        ]
        for (second, count, failures) in looks {
            let found = window.failures(of: count, at: .seconds(second))
            #expect(found == failures, "\(second)")
        }
    }

    @Test func callsADiskLowByItsSizeAndUntilAQuarterMoreIsFree() throws {
        func isLow(_ free: Int, of total: Int, files: Int = 0, before wasLow: Bool = false) -> Bool {
            DiskSpace(freeBytes: free, totalBytes: total, freeFiles: files, totalFiles: files == 0 ? 0 : 1000)
                .isLow(before: wasLow)
        }
        let gib = 1 << 30
        #expect(!isLow(2 * gib, of: 20 * gib) && isLow(2 * gib - 1, of: 20 * gib))
        #expect(!isLow(5 * gib, of: 4000 * gib) && isLow(5 * gib - 1, of: 4000 * gib))
        #expect(isLow(6 * gib, of: 4000 * gib, before: true) && !isLow(7 * gib, of: 4000 * gib, before: true))
        #expect(isLow(100 * gib, of: 200 * gib, files: 19) && !isLow(100 * gib, of: 200 * gib, files: 20))
        let own = try #require(DiskSpace(of: "/"))
        #expect(own.totalBytes > 0 && own.freeBytes <= own.totalBytes)
        #expect(DiskSpace(of: "/no such directory") == nil)
    }
}
