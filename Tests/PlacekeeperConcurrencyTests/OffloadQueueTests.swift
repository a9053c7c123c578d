import Dispatch
import Testing

@testable import PlacekeeperConcurrency

/// Tests of the offload queue. The tests block the queue's threads on purpose, as long work does.
@Suite(.timeLimit(.minutes(20))) struct OffloadQueueTests {
    /// Blocks threads, so that a test can check the queue while work is running.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        private let arrived = LockBox(0)
        var arrivals: Int { arrived.withLock { $0 } }

        /// Blocks the calling thread until the test opens the gate. Returns false if the thread waited for ten minutes.
        @discardableResult func pass() -> Bool {
            arrived.withLock { $0 += 1 }
            return opened.wait(timeout: .now() + 600) == .success
        }

        func waitForArrivals(_ count: Int) async { while arrivals < count { await Task.yield() } }
        func open(for count: Int) { for _ in 0..<count { opened.signal() } }
    }

    private func run(
        _ queue: OffloadQueue<Int>, for user: Int = 1, _ work: @escaping @Sendable () -> Void = {}
    ) async throws {
        try await queue.run(for: user) { work() }.get()
    }

    /// The work blocks all threads of the queue. The shared thread pool has only one thread for each core, so the test
    /// could not go on if the work blocked the pool's threads.
    @Test func blockedWorkDoesNotDelayTheThreadPool() async throws {
        let queue = OffloadQueue<Int>()
        let gate = Gate()
        let count = OffloadQueue<Int>.defaultWidth
        let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask { try await queue.run(for: number) { gate.pass() }.get() }
            }
            await gate.waitForArrivals(count)
            gate.open(for: count)
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(passed == count)
    }

    @Test func assignsWorkToAnIdleThread() async throws {
        let queue = OffloadQueue<Int>(width: 2)
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue) { gate.pass() } }
            await gate.waitForArrivals(1)
            try await withThrowingTaskGroup { others in
                for _ in 0..<16 {
                    others.addTask { try await queue.run(for: 1) { await Task.yield() }.get() }
                }
                try await others.waitForAll()
            }
            gate.open(for: 1)
            try await group.waitForAll()
        }
    }

    @Test(arguments: [1, 20]) func runsAtMostOneStepPerThread(parts: Int) async throws {
        let queue = OffloadQueue<Int>(width: 2, turn: .zero)
        let running = LockBox((now: 0, most: 0))
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    try await run(queue, for: Int(number)) {
                        for _ in 0..<parts {
                            running.withLock { running in
                                running.now += 1
                                running.most = max(running.most, running.now)
                            }
                            // Runs for so long that another step would start if the queue allowed it.
                            for _ in 0..<10_000 / parts { _ = running.withLock { $0.now } }
                            running.withLock { $0.now -= 1 }
                            queue.pause()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.now } == 0)
        #expect(running.withLock { $0.most } <= 2)
        try await run(queue)
    }

    /// Enqueues one unit of work for each user in turn, and returns the users in the order in which their work starts.
    private func order(of users: [Int]) async throws -> [Int] {
        let queue = OffloadQueue<Int>(width: 1)
        let gate = Gate()
        let order = LockBox<[Int]>([])
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue, for: 0) { gate.pass() } }
            await gate.waitForArrivals(1)
            for (index, user) in users.enumerated() {
                group.addTask { try await run(queue, for: user) { order.withLock { $0.append(user) } } }
                while queue.waitingSteps < index + 1 { await Task.yield() }
            }
            gate.open(for: 1)
            try await group.waitForAll()
        }
        return order.withLock(\.self)
    }

    @Test func servesUsersInTurns() async throws {
        #expect(try await order(of: [1, 1, 1, 1, 2, 2, 3]) == [1, 2, 3, 1, 2, 1, 1])
    }

    /// Each step after a wait is a separate turn, so work of many steps does not delay other users.
    @Test func changesTurnsAtEveryWait() async throws {
        let queue = OffloadQueue<Int>(width: 1)
        let gate = Gate()
        let order = LockBox<[String]>([])
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await queue.run(for: 1) {
                    gate.pass()
                    for _ in 0..<3 {
                        await Task.yield()
                        order.withLock { $0.append("long") }
                    }
                }.get()
            }
            await gate.waitForArrivals(1)
            group.addTask { try await run(queue, for: 2) { order.withLock { $0.append("short") } } }
            while queue.waitingSteps < 1 { await Task.yield() }
            gate.open(for: 1)
            try await group.waitForAll()
        }
        #expect(order.withLock(\.self) == ["short", "long", "long", "long"])
    }

    /// Runs work for users on one thread, which all begin before any goes on. Returns the order in which the work goes on:
    /// each request adds its user once for each part of its work, and pauses before each part.
    private func order(ofParts parts: [(user: Int, count: Int)], turn: Duration = .zero) async throws -> [Int] {
        let queue = OffloadQueue<Int>(width: 1, turn: turn)
        let gate = Gate()
        let order = LockBox<[Int]>([])
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue, for: 0) { gate.pass() } }
            await gate.waitForArrivals(1)
            for (index, (user, count)) in parts.enumerated() {
                group.addTask {
                    try await run(queue, for: user) {
                        for _ in 0..<count {
                            order.withLock { $0.append(user) }
                            queue.pause()
                        }
                    }
                }
                while queue.waitingSteps < index + 1 { await Task.yield() }
            }
            gate.open(for: 1)
            try await group.waitForAll()
        }
        #expect(queue.admitted == 0)
        #expect(queue.waitingSteps == 0)
        return order.withLock(\.self)
    }

    @Test func longWorkOfSeveralUsersTakesTurnsAtItsPauses() async throws {
        #expect(try await order(ofParts: [(1, 3), (2, 2), (3, 1)]) == [1, 2, 3, 1, 2, 1])
    }

    @Test func workDoesNotPauseBeforeItsTurnIsOver() async throws {
        #expect(try await order(ofParts: [(1, 3), (2, 2)], turn: .seconds(86_400)) == [1, 1, 1, 2, 2])
    }

    /// So a user with many long requests holds one of the suspended steps, and not all of them.
    @Test func suspendedWorkContinuesBeforeItsUsersOtherWork() async throws {
        let ends = LockBox<[Int]>([])
        let queue = OffloadQueue<Int>(width: 1, turn: .zero)
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue, for: 0) { gate.pass() } }
            await gate.waitForArrivals(1)
            for number in 0..<10 {
                group.addTask {
                    try await run(queue) {
                        for _ in 0..<5 { queue.pause() }
                        ends.withLock { $0.append(number) }
                    }
                }
                while queue.waitingSteps < number + 1 { await Task.yield() }
            }
            gate.open(for: 1)
            try await group.waitForAll()
        }
        #expect(ends.withLock(\.self) == Array(0..<10))
    }

    /// More users pause than the queue suspends, so some of the work goes on without a pause.
    @Test func allLongWorkEndsWhenManyUsersPause() async throws {
        let order = try await order(ofParts: (1...40).map { ($0, 5) })
        #expect(order.sorted() == (1...40).flatMap { [Int](repeating: $0, count: 5) })
    }

    @Test func suspendedWorkOfACancelledRequestContinuesFirst() async throws {
        let queue = OffloadQueue<Int>(width: 1, turn: .zero)
        let (first, second) = (Gate(), Gate())
        let order = LockBox<[String]>([])
        try await withThrowingTaskGroup { group in
            let cancelled = Task {
                try await run(queue, for: 1) {
                    first.pass()
                    queue.pause()
                    order.withLock { $0.append("cancelled") }
                }
            }
            await first.waitForArrivals(1)
            group.addTask { try await run(queue, for: 2) { second.pass() } }
            while queue.waitingSteps < 1 { await Task.yield() }
            group.addTask { try await run(queue, for: 3) { order.withLock { $0.append("other") } } }
            while queue.waitingSteps < 2 { await Task.yield() }
            first.open(for: 1)
            await second.waitForArrivals(1)
            cancelled.cancel()
            second.open(for: 1)
            try await cancelled.value
            try await group.waitForAll()
        }
        #expect(order.withLock(\.self) == ["cancelled", "other"])
    }

    @Test func aPauseOutsideTheQueueDoesNothing() { OffloadQueue<Int>(turn: .zero).pause() }

    @Test func doesNotStartCancelledWork() async throws {
        let queue = OffloadQueue<Int>(width: 1)
        let gate = Gate()
        let begun = LockBox(0)
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue, for: 0) { gate.pass() } }
            await gate.waitForArrivals(1)
            let tasks = (0..<20).map { _ in Task { try await run(queue) { begun.withLock { $0 += 1 } } } }
            while queue.waitingSteps < 20 { await Task.yield() }
            for task in tasks { task.cancel() }
            // The queue no longer includes the canceled requests in its limit, although the thread is still blocked.
            #expect(queue.admitted == 1)
            gate.open(for: 1)
            for task in tasks {
                await #expect(throws: OffloadRefusal.cancelled) { try await task.value }
            }
            try await group.waitForAll()
        }
        #expect(begun.withLock { $0 } == 0)
        #expect(queue.admitted == 0)
    }

    @Test func runsCancelledStepsBeforeOlderWork() async throws {
        let queue = OffloadQueue<Int>(width: 1)
        let (first, second) = (Gate(), Gate())
        try await withThrowingTaskGroup { group in
            group.addTask { try await run(queue, for: 0) { first.pass() } }
            await first.waitForArrivals(1)
            group.addTask { try await run(queue, for: 2) { second.pass() } }
            while queue.waitingSteps < 1 { await Task.yield() }
            let cancelled = Task { try await run(queue, for: 1) }
            while queue.waitingSteps < 2 { await Task.yield() }
            cancelled.cancel()
            first.open(for: 1)
            // The older work starts only after the canceled step, and the second gate still blocks the older work.
            await #expect(throws: OffloadRefusal.cancelled) { try await cancelled.value }
            second.open(for: 1)
            try await group.waitForAll()
        }
    }

    @Test func refusesRequestsOverTheShareOfAUser() async throws {
        let queue = OffloadQueue<Int>(width: 1)
        let gate = Gate()
        let share = OffloadQueue<Int>.largestShare
        try await withThrowingTaskGroup { group in
            for _ in 0..<share { group.addTask { try await run(queue) { gate.pass() } } }
            while queue.admitted < share { await Task.yield() }
            await #expect(throws: OffloadRefusal.full) { try await run(queue) }
            group.addTask { try await run(queue, for: 2) }
            while queue.admitted < share + 1 { await Task.yield() }
            gate.open(for: share)
            try await group.waitForAll()
        }
        try await run(queue)
    }

    @Test func freesOnePlaceWhenARequestEnds() throws {
        let queue = OffloadQueue<Int>(width: 1)
        let tickets = (0..<OffloadQueue<Int>.largestShare).compactMap { _ in queue.admit(1) }
        queue.dismiss(try #require(tickets.first))
        #expect(queue.admit(1) != nil)
        #expect(queue.admit(1) == nil)
    }

    /// Each of a hundred users requests as much as the queue admits for one user.
    @Test func leavesRoomForAFurtherUserWhenManyUsersFillTheQueue() {
        let queue = OffloadQueue<Int>(width: 1, limit: 1024)
        for _ in 0..<OffloadQueue<Int>.largestShare {
            for user in 1...100 as ClosedRange<Int> { _ = queue.admit(user) }
        }
        #expect(queue.admitted < 1024)
        #expect(queue.admit(101) != nil)
        #expect(queue.admit(1) == nil)
    }

    @Test func admitsAtMostTheTotalLimit() {
        let queue = OffloadQueue<Int>(width: 1, limit: 10)
        let tickets = (1...20 as ClosedRange<Int>).compactMap { queue.admit($0) }
        #expect(tickets.count == 10)
        #expect(Set(tickets).count == 10)
        for ticket in tickets { queue.dismiss(ticket) }
        #expect(queue.admitted == 0)
        #expect(queue.admit(1) != nil)
    }
}
