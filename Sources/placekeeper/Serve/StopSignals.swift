import Dispatch
import PlacekeeperSystem
import Synchronization

/// Catches SIGTERM and SIGINT. The first signal starts a graceful shutdown. A second signal ends the process
/// immediately.
///
/// SIGHUP is ignored, because a service has nothing to reload: it rereads changed key files by itself. For a command
/// that is used on a terminal, SIGHUP counts like the other signals, so the command ends with the terminal.
///
/// A signal handler writes each signal to a pipe, because Dispatch's own signal sources lost 1 signal in 200 on a busy
/// machine.
final class StopSignals {
    private let source: any DispatchSourceRead
    /// A stream that yields the first signal and then ends.
    let first: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    /// - Parameters:
    ///   - endsWithTerminal: whether SIGHUP starts a shutdown, unless nohup(1) started the process.
    ///   - end: called on a thread of its own at the first signal, by a command that only cleans up and ends.
    init(endsWithTerminal: Bool, end: (@Sendable (Int32) -> Void)? = nil) throws(CommandFailure) {
        guard let (reading, writing) = Platform.makeSocketPair(blocks: false) else {
            throw CommandFailure(.unavailable, "cannot create a pipe for signals: \(String(cString: strerror(errno)))")
        }
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        first = stream
        self.continuation = continuation
        source = DispatchSource.makeReadSource(
            fileDescriptor: reading, queue: DispatchQueue(label: "placekeeper.signals"))
        source.setEventHandler { @Sendable in
            var number: UInt8 = 0
            while read(reading, &number, 1) == 1 {
                end?(Int32(number))
                if case .terminated = continuation.yield(Int32(number)) { _exit(128 + Int32(number)) }
                continuation.finish()
            }
        }
        source.activate()
        signalPipe.store(writing, ordering: .sequentiallyConsistent)
        // Swift can't compare C functions, but a function pointer has the size of an `Int`.
        let isUsual = unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        for number in [SIGTERM, SIGINT] + (endsWithTerminal && isUsual ? [SIGHUP] : []) {
            Platform.catchSignal(number) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
        }
    }

    /// Starts a graceful shutdown at the end of standard input. A later signal ends the process immediately.
    func stopAtEndOfInput() {
        DispatchQueue(label: "placekeeper.input").async { [continuation] in
            var byte: UInt8 = 0
            while case let count = read(STDIN_FILENO, &byte, 1), count > 0 || (count < 0 && errno == EINTR) {}
            continuation.yield(SIGTERM)
            continuation.finish()
        }
    }
}

/// The end of the pipe that the signal handler writes to. Global, because a signal handler has no context.
private let signalPipe = Atomic<Int32>(-1)
