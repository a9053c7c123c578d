import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct AlertBookTests {
    private let clock = ManualClock()
    private let book = AlertBook()

    private func states() -> [String] {
        book.changes(by: clock).map { "\($0.alert.subject) \($0.endedAt == nil ? "started" : "ended")" }
    }

    private func set(_ subjects: String...) {
        book.update(.diskLow, to: subjects.map { Alert(.diskLow, $0, "\(clock.now())") }, by: clock)
    }

    @Test func tellsTheStartAndTheEndOfAnAlertOnce() {
        let start = clock.now()
        set("a")
        #expect(book.changes(by: clock) == [AlertChange(Alert(.diskLow, "a", "\(start)"), startedAt: start)])
        clock.advance(.seconds(600))
        let last = clock.now()
        set("a", "b")
        #expect(states() == ["b started"])
        set()
        #expect(states().isEmpty)
        clock.advance(AlertBook.quietTime)
        let changes = book.changes(by: clock)
        #expect(changes.map(\.alert.subject) == ["a", "b"])
        #expect(
            changes.first
                == AlertChange(
                    Alert(.diskLow, "a", "\(last)"), startedAt: start, endedAt: last + AlertBook.quietTime))
        #expect(states().isEmpty && book.current.isEmpty)
    }

    @Test func goesOnWithAnAlertThatReturnsWithinAMinute() {
        set("a")
        #expect(states() == ["a started"])
        for _ in 0..<10 {
            set()
            clock.advance(AlertBook.quietTime - .milliseconds(1))
            #expect(states().isEmpty)
            set("a")
        }
        set()
        clock.advance(AlertBook.quietTime)
        #expect(states() == ["a ended"])
        set("a")
        #expect(states() == ["a started"])
    }

    @Test func keepsTheAlertsOfOtherKinds() {
        set("a")
        book.update(.storeFailing, .logInStorm, to: [], by: clock)
        clock.advance(AlertBook.quietTime)
        #expect(states() == ["a started"])
    }

    /// A client could make any number of versions fail.
    @Test func hasAtMostSomeAlertsOfAKind() {
        let many = (0..<1000).map { Alert(.restoresFailing, "\($0)", "") }
        book.update(.restoresFailing, to: many, by: clock)
        set("a")
        #expect(states() == many.prefix(AlertBook.limit).map { "\($0.subject) started" } + ["a started"])
    }

    /// A wrong clock neither hides an end nor makes one.
    @Test func countsTheQuietTimeWithoutTheSystemsClock() {
        set("a")
        set()
        clock.set(clock.now() + .seconds(86_400))
        #expect(states() == ["a started"])
        clock.set(clock.now() - .seconds(2 * 86_400))
        clock.advance(AlertBook.quietTime)
        #expect(states() == ["a ended"])
    }
}
