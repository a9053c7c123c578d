import PlacekeeperSystem
import PlacekeeperConcurrency
import Dispatch
import Synchronization

/// The actions before the process ends: at the end of the demo, or at a signal.
enum CleanUp {
    private static let actions = LockBox<[@Sendable () -> Void]>([])
    private static let queue = DispatchQueue(label: "placekeeper-demo.end")

    /// Adds an action. Actions run in reverse order.
    static func add(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }

    /// Runs all actions, prints the message, and ends the process with a status.
    static func exit(_ status: Int32, _ message: String = "") -> Never {
        queue.sync {
            while let action = actions.withLock({ $0.popLast() }) { action() }
            Terminal.write(message, to: STDERR_FILENO)
            // `exit` would destroy objects that other threads still use.
            _exit(status)
        }
    }

    /// Also runs the actions when a signal ends the process. A signal handler writes the signal to a pipe, because it
    /// may do little else.
    static func catchSignals() {
        guard let (reading, writing) = Platform.makeSocketPair(blocks: true) else { return }
        signalPipe.store(writing, ordering: .sequentiallyConsistent)
        DispatchQueue(label: "placekeeper-demo.signals").async {
            var number: UInt8 = 0
            while read(reading, &number, 1) != 1 {}
            exit(128 + Int32(number))
        }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            Platform.catchSignal(number) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
        }
        // Make a write to a closed pipe fail instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
    }
}

/// The end of the pipe that the signal handler writes to. Global, because a signal handler has no context.
private let signalPipe = Atomic<Int32>(-1)
