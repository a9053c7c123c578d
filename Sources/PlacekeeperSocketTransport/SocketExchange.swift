import Dispatch
import PlacekeeperHTTP
import PlacekeeperClient

/// A request and its response. An exchange ends once: with its response, with an error, at its deadline, or when its
/// task is canceled.
///
/// `@unchecked Sendable`: all variables are used only on the pool's queue.
final class SocketExchange: @unchecked Sendable {
    struct Stream: Sendable {
        /// The maximum time between two pieces, in seconds.
        var idleLimit: Double
        var receive: @Sendable ([UInt8]) -> Bool
    }

    enum Progress {
        case needsMore
        /// The exchange is complete. More bytes may follow its response on the connection.
        case complete
        case failed(TransportError)
    }

    let request: TransportRequest
    let stream: Stream?
    /// The connection that carries the exchange.
    var connection: SocketConnection?
    /// Whether the exchange counts against the limit of connections.
    var holdsSlot = false
    private(set) var hasEnded = false
    private(set) var hasReceivedBytes = false
    /// Whether the connection may carry another exchange after this one.
    private(set) var keepsConnection = false
    private var hasRetried = false
    private var decoder: ResponseDecoder
    private var response = TransportResponse(status: 0)
    private var continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>?
    private var timer: (any DispatchSourceTimer)?

    init(_ request: TransportRequest, stream: Stream? = nil) {
        self.request = request
        self.stream = stream
        decoder = Self.decoder(of: request, stream)
    }

    private static func decoder(of request: TransportRequest, _ stream: Stream?) -> ResponseDecoder {
        ResponseDecoder(to: request.method, bodyLimit: stream == nil ? request.responseLimit : .max)
    }

    /// Starts waiting for the end.
    /// - Parameter expire: Called at the deadline.
    func begin(
        _ continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>, on queue: DispatchQueue,
        expire: @escaping @Sendable () -> Void
    ) {
        // The task may already have been canceled.
        guard !hasEnded else { return continuation.resume(returning: .failure(.canceled)) }
        self.continuation = continuation
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: expire)
        timer.schedule(deadline: .now() + request.deadline)
        timer.activate()
        self.timer = timer
    }

    /// Ends the exchange. Without an error, it ends with the response.
    func end(_ error: TransportError?) {
        guard !hasEnded else { return }
        hasEnded = true
        timer?.cancel()
        timer = nil
        continuation?.resume(returning: error.map { .failure($0) } ?? .success(response))
        continuation = nil
    }

    /// Whether the request may be sent again after its connection was lost. True at most once.
    func takeRetry() -> Bool {
        let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
        guard isIdempotent, !hasReceivedBytes, !hasRetried else { return false }
        hasRetried = true
        return true
    }

    // MARK: - Response

    /// Handles received bytes, and removes those of the response from `buffer`.
    func take(_ buffer: inout [UInt8]) -> Progress {
        hasReceivedBytes = true
        var offset = 0
        defer { buffer.removeFirst(offset) }
        while true {
            let (event, consumed) = buffer.withUnsafeBytes {
                decoder.next(UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            let start = offset
            offset += consumed
            switch event {
            case .needsMore: return .needsMore
            case .head(let head): if !take(head) { return .complete }
            case .body(let range):
                if !take(buffer[start + range.lowerBound..<start + range.upperBound]) { return .complete }
            case .end:
                keepsConnection = keepsConnection && stream == nil
                return .complete
            case .refused(let code):
                return .failed(.invalid("The response is not valid or too large: \(code)."))
            }
        }
    }

    /// Handles the end of the connection.
    func takeEndOfInput() -> Progress {
        keepsConnection = false
        return switch decoder.eventAtEndOfInput() {
        case .end: .complete
        default: .failed(.unreachable("The connection was closed before the end of the response."))
        }
    }

    /// Returns false if a stream ends at the head, because its status isn't 200.
    private func take(_ head: ResponseHead) -> Bool {
        response.status = head.status
        response.fields = head.fields.map { TransportRequest.Field($0.name, $0.value) }
        keepsConnection = head.keepsAlive
        guard let stream else { return true }
        guard head.status == 200 else {
            keepsConnection = false
            return false
        }
        timer?.schedule(deadline: .now() + stream.idleLimit)
        return true
    }

    /// Returns false if the receiver of a stream ends it.
    private func take(_ piece: ArraySlice<UInt8>) -> Bool {
        guard let stream else {
            response.body += piece
            return true
        }
        timer?.schedule(deadline: .now() + stream.idleLimit)
        guard stream.receive(Array(piece)) else {
            keepsConnection = false
            return false
        }
        return true
    }
}
