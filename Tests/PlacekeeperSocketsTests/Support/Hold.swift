import Dispatch
import Synchronization

/// Blocks the thread of a worker that calls `pass` until the test opens this hold.
final class Hold: Sendable {
    private let arrived = Gate()
    private let opened = DispatchSemaphore(value: 0)
    private let onTick = Mutex<@Sendable () -> Void>({})

    var tick: @Sendable () -> Void {
        get { onTick.withLock { $0 } }
        set { onTick.withLock { $0 = newValue } }
    }

    func pass() {
        arrived.arrive()
        opened.wait()
    }

    func waitForArrival() async { await arrived.waitForArrivals() }
    func open() { opened.signal() }
}
