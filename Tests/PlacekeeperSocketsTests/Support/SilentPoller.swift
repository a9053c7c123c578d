@testable import PlacekeeperSockets

/// A poller that reports no events: the tests of a worker whose loop does not run call the worker's functions.
///
/// `@unchecked Sendable`: only the test uses the poller.
final class SilentPoller: Poller, @unchecked Sendable {
    /// Whether the poller refuses changes.
    var refusesChanges = false
    let blocks = false

    func start(_ turn: @escaping @Sendable () -> Void) {}
    func stop() {}
    func wake() {}
    func setTicks(_ interval: Duration) {}
    func takeTicks() -> UInt32 { 0 }
    func add(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool { true }
    func change(_ descriptor: Int32, _ events: SocketEvents, _ token: ConnectionID) -> Bool { !refusesChanges }
    func close(_ descriptor: Int32) { System.close(descriptor) }
    func wait(_ ready: UnsafeMutableBufferPointer<Readiness>, mayBlock: Bool) -> Int { 0 }
}
