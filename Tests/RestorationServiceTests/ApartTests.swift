import Dispatch
import Testing

@testable import RestorationService

/// Where it is done what may block.
@Suite struct ApartTests {
    /// Holds those up that pass, so that a test can say what goes on meanwhile.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)
        private let arrived = LockBox(0)
        var arrivals: Int { arrived.withLock { $0 } }

        /// Blocks the thread; false if it was not let through in ten minutes.
        func pass() -> Bool {
            arrived.withLock { $0 += 1 }
            return opened.wait(timeout: .now() + 600) == .success
        }

        func open(for count: Int) { for _ in 0..<count { opened.signal() } }
    }

    /// Everything else runs on a pool of as many threads as there are cores.
    @Test func holdsUpNothingThatRunsElsewhere() async {
        let gate = Gate()
        let count = ApartExecutor.width
        let passed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { await apart { gate.pass() } } }
            while gate.arrivals < count { await Task.yield() }
            gate.open(for: count)
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(passed == count)
    }

    /// One that takes long keeps one thread, and nobody waits behind it while another is free.
    @Test func whoComesNextIsTakenOnByWhoIsFree() async {
        let executor = ApartExecutor(width: 2)
        let gate = Gate()
        let passed = await withTaskGroup(of: Bool.self) { group in
            group.addTask(executorPreference: executor) { gate.pass() }
            while gate.arrivals < 1 { await Task.yield() }
            await withTaskGroup { others in
                for _ in 0..<16 { others.addTask(executorPreference: executor) { await Task.yield() } }
            }
            gate.open(for: 1)
            return await group.next()
        }
        #expect(passed == true)
    }

    @Test func whatWaitedLongestComesNext() async {
        let executor = ApartExecutor(width: 1)
        let order = LockBox<[Int]>([])
        let gate = Gate()
        let numbers = 0..<1000
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: executor) { _ = gate.pass() }
            while gate.arrivals < 1 { await Task.yield() }
            for number in numbers {
                group.addTask(executorPreference: executor) { order.withLock { $0.append(number) } }
            }
            gate.open(for: 1)
        }
        #expect(order.withLock(\.self) == Array(numbers))
    }

    @Test func noMoreRunAtOnceThanThereAreThreads() async {
        let executor = ApartExecutor(width: 2)
        let running = LockBox((now: 0, most: 0))
        await withTaskGroup { group in
            for _ in 0..<64 {
                group.addTask(executorPreference: executor) {
                    running.withLock { running in
                        running.now += 1
                        running.most = max(running.most, running.now)
                    }
                    // Long enough for others to begin, if they might.
                    for _ in 0..<10_000 { _ = running.withLock { $0.now } }
                    running.withLock { $0.now -= 1 }
                }
            }
        }
        #expect(running.withLock { $0.now } == 0)
        #expect(running.withLock { $0.most } <= 2)
    }
}
