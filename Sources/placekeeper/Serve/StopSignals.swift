import Dispatch
import Glibc

/// SIGTERM and SIGINT. The first asks the service to drain; a second ends the process at once.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]
    /// Yields the first, then ends.
    let first: AsyncStream<Int32>

    init() {
        let queue = DispatchQueue(label: "placekeeper.signals")
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        first = stream
        sources = [SIGTERM, SIGINT].map { number in
            // Otherwise the signal would end the process before the source hears of it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                if case .terminated = continuation.yield(number) { _exit(128 + number) }
                continuation.finish()
            }
            source.resume()
            return source
        }
    }
}
