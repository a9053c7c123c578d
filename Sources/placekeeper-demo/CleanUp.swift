import PlacekeeperSystem
import PlacekeeperConcurrency
import Dispatch
import Synchronization

/// The actions before the end of the process: at the end of the demo, and at a signal.
enum CleanUp {
    private static let actions = LockBox<[@Sendable () -> Void]>([])
    private static let queue = DispatchQueue(label: "placekeeper-demo.end")

    /// Adds an action. The action that was added last runs first.
    static func add(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }

    /// Ends the process with a status, after all actions. Then the terminal shows the message, if there is one.
    static func exit(_ status: Int32, _ message: String = "") -> Never {
        queue.sync {
            while let action = actions.withLock({ $0.popLast() }) { action() }
            Terminal.write(message, to: STDERR_FILENO)
            // `exit` would end objects that other threads still use.
            _exit(status)
        }
    }

    /// Runs the actions also before a signal ends the process. A signal handler writes the signal into a pipe, because
    /// it may call almost nothing else.
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
        // A write to a closed pipe fails, instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
    }
}

/// The end of the pipe into which the signal handler writes. The variable is global, because a signal handler has no
/// context.
private let signalPipe = Atomic<Int32>(-1)
