import Testing

@testable import PlacekeeperSockets

@Suite struct InboxTests {
    private static func message(_ number: Int32) -> Inbox.Message { .adopt(descriptor: number, peer: "") }

    @Test func letsItsWorkerSleepOnlyWhenItIsEmpty() {
        let inbox = Inbox()
        var sleeps = [inbox.isEmptyBeforeSleep()]
        var wakes = [inbox.put { $0.messages.append(Self.message(1)) }]
        sleeps.append(inbox.isEmptyBeforeSleep())
        wakes.append(inbox.put { $0.messages.append(Self.message(2)) })
        var (jobs, messages): ([UnownedJob], [Inbox.Message]) = ([], [])
        inbox.take(jobs: &jobs, messages: &messages)
        #expect(messages.count == 2)
        wakes.append(inbox.put { $0.messages.append(Self.message(3)) })
        sleeps.append(inbox.isEmptyBeforeSleep())
        messages = []
        inbox.take(jobs: &jobs, messages: &messages)
        #expect(messages.count == 1)
        sleeps.append(inbox.isEmptyBeforeSleep())
        wakes.append(inbox.put { $0.messages.append(Self.message(4)) })
        #expect(sleeps == [true, false, false, true])
        #expect(wakes == [true, false, false, true])
    }
}
