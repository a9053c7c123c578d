import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// A background task ends exactly once, and never after the system's time.
@MainActor
struct BackgroundTaskTests {
    /// The system, which begins a task, calls its handler, and ends an app whose task has not ended then.
    @MainActor
    final class System {
        private(set) var ended: [Int] = []
        private(set) var handler: (@MainActor @Sendable () -> Void)?
        /// Whether the time is over before the task has an identifier.
        var isImpatient = false

        func begin(_ handler: @escaping @MainActor @Sendable () -> Void) -> Int? {
            self.handler = handler
            if isImpatient { handler() }
            return 7
        }

        func end(_ id: Int) { ended.append(id) }
    }

    private let system = System()

    private func run(_ work: @escaping @MainActor () async -> Void) -> BackgroundTask<Int> {
        BackgroundTask(begin: system.begin, end: system.end, work: work)
    }

    @Test func endsInItsHandlerWhileTheServiceDoesNotAnswer() async throws {
        let service = try await TestService()
        let phone = service.device(.phone)
        phone.network.fault = .slow(.seconds(3600))
        phone.placekeeper.scene().save(
            StateArchive(bundleVersion: "1", idiom: 0, place: Place([.init(screen: "work")])))
        let isDone = AsyncStream<Void>.makeStream()
        let task = run {
            try? await phone.placekeeper.flush()
            isDone.continuation.yield()
        }
        await service.settle()
        system.handler?()
        #expect(system.ended == [7], "the handler has returned")
        for await _ in isDone.stream { break }
        await Task.yield()
        #expect(system.ended == [7])
        _ = task
    }

    @Test func endsWhenTheWorkIsDone() async {
        let isDone = AsyncStream<Void>.makeStream()
        let task = run { isDone.continuation.yield() }
        for await _ in isDone.stream { break }
        while system.ended.isEmpty { await Task.yield() }
        system.handler?()
        #expect(system.ended == [7])
        _ = task
    }

    @Test func endsATaskWhoseTimeWasOverAtOnce() async {
        system.isImpatient = true
        var isWorking = false
        let task = run { isWorking = true }
        #expect(system.ended == [7])
        await Task.yield()
        #expect(!isWorking)
        _ = task
    }

    @Test func worksWithoutATaskOfTheSystem() async {
        let isDone = AsyncStream<Void>.makeStream()
        let task = BackgroundTask<Int>(begin: { _ in nil }, end: system.end) { isDone.continuation.yield() }
        for await _ in isDone.stream { break }
        await Task.yield()
        #expect(system.ended == [])
        _ = task
    }
}
