import Concurrency
import Dispatch
import Glibc
import Synchronization

/// The actions before the end of the process: at the end of the demo, and at a signal.
enum CleanUp {
    private static let actions = LockBox<[@Sendable () -> Void]>([])
    private static let queue = DispatchQueue(label: "placekeeper-demo.end")

    /// Adds an action. The action that was added last runs first.
    static func add(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }

    /// Ends the process with a status, after all actions.
    static func exit(_ status: Int32) -> Never {
        queue.sync {
            while let action = actions.withLock({ $0.popLast() }) { action() }
            // `exit` would end objects that other threads still use.
            _exit(status)
        }
    }

    /// Runs the actions also before a signal ends the process. A signal handler writes the signal into a pipe, because
    /// it may call almost nothing else.
    static func catchSignals() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = ends[0]
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        DispatchQueue(label: "placekeeper-demo.signals").async {
            var number: UInt8 = 0
            while read(reading, &number, 1) != 1 {}
            exit(128 + Int32(number))
        }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        // A write to a closed pipe fails, instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
    }
}

/// The end of the pipe into which the signal handler writes. The variable is global, because a signal handler has no
/// context.
private let signalPipe = Atomic<Int32>(-1)
