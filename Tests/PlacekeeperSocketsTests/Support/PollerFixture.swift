import PlacekeeperSystem
import Dispatch
import Synchronization

@testable import PlacekeeperSockets

/// A poller on its own queue, and the events that it has reported.
///
/// `@unchecked Sendable`: only `queue` uses the state, and `ready` does not change.
final class PollerFixture: @unchecked Sendable {
    /// The events that `wait` can return at once. There are fewer than most tests have sockets.
    static let batch = 4

    let poller: any Poller
    /// The events of each socket, since the last `forget`.
    var reported: [ConnectionID: SocketEvents] = [:]
    private(set) var turns = 0
    var ticks: UInt32 = 0
    /// Whether turns take the events. Otherwise the events wait in the poller.
    var takesEvents = true
    private let queue = DispatchQueue(label: "poller of a test")
    private let ready = UnsafeMutableBufferPointer<Readiness>.allocate(capacity: batch)
    private var waiters: [(condition: (PollerFixture) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    private var descriptors: Set<Int32> = []
    private var nextIndex: UInt32 = 0

    /// Runs `body` with a started poller. Then stops the poller, and closes its sockets.
    static func run(_ kind: PollerKind, _ body: (PollerFixture) async throws -> Void) async throws {
        let fixture = try PollerFixture(kind)
        fixture.poller.start { [weak fixture] in fixture?.turn() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.perform { fixture in
            for descriptor in fixture.descriptors { fixture.poller.close(descriptor) }
            fixture.poller.setTicks(.zero)
            fixture.poller.stop()
        }
        try result.get()
    }

    private init(_ kind: PollerKind) throws { poller = try kind.makePoller(queue) }

    deinit { ready.deallocate() }

    /// Runs `body` on the poller's queue.
    func perform<Value: Sendable>(_ body: @escaping @Sendable (PollerFixture) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self)) }
        }
    }

    /// Waits until a condition holds. The condition is checked now and after each turn.
    func wait(until condition: @escaping @Sendable (PollerFixture) -> Bool) async {
        await withCheckedContinuation { continuation in
            queue.async {
                if condition(self) { return continuation.resume() }
                self.waiters.append((condition, continuation))
            }
        }
    }

    /// Waits until all these events of a socket have been reported since the last `forget`.
    func wait(for events: SocketEvents, of token: ConnectionID) async {
        await wait { $0.reported[token, default: []].isSuperset(of: events) }
    }

    /// Waits until the poller has reported an event that happens after this call.
    func waitForALaterEvent() async throws {
        let (mark, other) = try await addPair(.input)
        try other.send([1])
        await wait(for: .input, of: mark.token)
        await perform { $0.close(mark) }
    }

    func forget() async { await perform { $0.reported = [:] } }

    // MARK: - Sockets

    /// A socket of the poller.
    struct Watched: Sendable {
        var descriptor: Int32
        var token: ConnectionID
    }

    /// Adds one end of a new socket pair. The other end belongs to the test.
    func addPair(_ events: SocketEvents) async throws -> (Watched, SocketEnd) {
        let (one, other) = try SocketEnd.pair()
        return (try await add(one.take(), events), other)
    }

    /// Adds a socket, which then belongs to the poller.
    func add(_ descriptor: Int32, _ events: SocketEvents) async throws -> Watched {
        let watched = await perform { fixture -> Watched? in
            fixture.nextIndex += 1
            fixture.descriptors.insert(descriptor)
            let token = ConnectionID(index: fixture.nextIndex, generation: 1)
            guard fixture.poller.add(descriptor, events, token) else { return nil }
            return Watched(descriptor: descriptor, token: token)
        }
        guard let watched else { throw TestClient.Failure(call: "add", number: 0) }
        return watched
    }

    /// Closes a socket of the poller. Call it on the poller's queue.
    func close(_ watched: Watched) {
        poller.close(watched.descriptor)
        descriptors.remove(watched.descriptor)
    }

    /// Takes the next events of the poller. Call it on the poller's queue.
    func take(mayBlock: Bool = false) -> [Readiness] {
        let count = poller.wait(ready, mayBlock: mayBlock)
        return Array(ready[..<count])
    }

    private func turn() {
        turns += 1
        while takesEvents {
            let events = take()
            for event in events {
                reported[event.token, default: []].formUnion(event.events)
                if event.token == .timer { ticks += poller.takeTicks() }
            }
            // Dispatch calls the turn of a poller that blocks again, as long as there are events.
            if poller.blocks || events.isEmpty { break }
        }
        let due = waiters.filter { $0.condition(self) }
        guard !due.isEmpty else { return }
        waiters.removeAll { $0.condition(self) }
        for waiter in due { waiter.continuation.resume() }
    }
}

/// One end of a pair of connected sockets, which do not block.
final class SocketEnd: Sendable {
    let descriptor: Int32
    private let isTaken = Atomic(false)

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if !isTaken.load(ordering: .relaxed) { System.close(descriptor) } }

    static func pair() throws -> (SocketEnd, SocketEnd) {
        guard let (one, other) = Platform.makeSocketPair(blocks: false) else {
            throw TestClient.Failure(call: "socketpair", number: errno)
        }
        return (SocketEnd(one), SocketEnd(other))
    }

    /// Returns the descriptor, which the caller closes from now on.
    func take() -> Int32 {
        isTaken.store(true, ordering: .relaxed)
        return descriptor
    }

    func close() { System.close(take()) }

    func send(_ bytes: [UInt8]) throws {
        guard case .bytes(bytes.count) = bytes.withUnsafeBytes({ System.send(descriptor, $0) }) else {
            throw TestClient.Failure(call: "send", number: errno)
        }
    }

    /// Sends until the socket has no room left.
    func fill() { Self.fill(descriptor) }

    static func fill(_ descriptor: Int32) {
        let bytes = [UInt8](repeating: 7, count: 64 * 1024)
        while case .bytes = bytes.withUnsafeBytes({ System.send(descriptor, $0) }) {}
    }

    /// Receives bytes, at most `limit`. Returns their number.
    @discardableResult
    static func receive(_ descriptor: Int32, limit: Int = 1 << 20) -> Int {
        var bytes = [UInt8](repeating: 0, count: limit)
        guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ System.receive(descriptor, into: $0) }) else {
            return 0
        }
        return count
    }
}
