import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

@Suite struct ExchangeStateTests {
    @Test func isNotNeededWhenItIsEmpty() {
        #expect(!MessageState().isNeeded)
    }

    @Test func isNeededForEachOfItsContents() {
        let changes: [(String, (MessageState) -> Void)] = [
            ("a message in part", { $0.reader = RequestReader(limits: .init()) }),
            ("bytes that are not read", { $0.pending = [1] }),
            ("content that is accounted for", { $0.charge = 1 }),
            ("bytes that are not sent", { $0.unsent.append([1], skipping: 0) }),
            ("a handler", { $0.task = Task {} }),
        ]
        for (name, change) in changes {
            let framingContext = MessageState()
            change(framingContext)
            #expect(framingContext.isNeeded, "\(name)")
        }
    }
}
