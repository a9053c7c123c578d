import PlacekeeperConcurrency
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request over `URLSession`, and its response.
///
/// Each exchange ends exactly once: at the end of the response, on an error, at its deadline, or when its task is
/// canceled.
final class Exchange: Sendable {
    typealias Result = Swift.Result<TransportResponse, TransportError>

    struct Stream: Sendable {
        /// The maximum number of seconds between two pieces.
        var idleLimit: Double
        var receive: @Sendable ([UInt8]) -> Bool
    }

    private struct State {
        var task: URLSessionTask?
        var continuation: CheckedContinuation<Result, Never>?
        var hasEnded = false
        var response = TransportResponse(status: 0)
        var lastProgress = DispatchTime.now()
    }

    private enum Step {
        case nothing, tooLarge
        case piece(@Sendable ([UInt8]) -> Bool)
    }

    private let state = LockBox(State())
    private let limit: Int
    private let stream: Stream?
    private static let starts = DispatchQueue(label: "placekeeper.starts")
    private static let timers = DispatchQueue(label: "placekeeper.deadlines")

    /// - Parameter limit: The maximum body size, in bytes. Does not apply to a stream.
    init(limit: Int, stream: Stream?) {
        self.limit = limit
        self.stream = stream
    }

    /// Sends the request, and returns the result when the exchange has ended.
    func run(
        _ request: URLRequest, on session: URLSession, _ delegate: SessionDelegate, deadline: Double
    ) async -> Result {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if !state.hasEnded { state.continuation = continuation }
                    return state.hasEnded
                }
                guard !hasEnded else { return continuation.resume(returning: .failure(.canceled)) }
                Self.timers.asyncAfter(deadline: .now() + deadline) { [weak self] in self?.reachDeadline(delegate) }
                // FoundationNetworking creates and starts each task on a queue shared by all tasks, and blocks until
                // that queue is free.
                Self.starts.async { [self] in start(request, session, delegate) }
            }
        } onCancel: {
            end(.canceled, delegate)
        }
    }

    private func start(_ request: URLRequest, _ session: URLSession, _ delegate: SessionDelegate) {
        guard !state.withLock({ $0.hasEnded }) else { return }
        let task = session.dataTask(with: request)
        delegate.add(self, task)
        task.resume()
        let hasEnded = state.withLock { state in
            state.task = task
            return state.hasEnded
        }
        if hasEnded { delegate.stop(task) }
    }

    /// Ends the exchange, or the wait for a stream's response head.
    private func reachDeadline(_ delegate: SessionDelegate) {
        if let stream, hasHead { watch(stream.idleLimit, delegate) } else { end(.timedOut, delegate) }
    }

    private func watch(_ idleLimit: Double, _ delegate: SessionDelegate) {
        let left = state.withLock { state -> Double? in
            let idle = DispatchTime.now().uptimeNanoseconds - state.lastProgress.uptimeNanoseconds
            return state.hasEnded ? nil : idleLimit - Double(idle) / 1e9
        }
        guard let left else { return }
        guard left > 0 else { return end(.timedOut, delegate) }
        Self.timers.asyncAfter(deadline: .now() + left) { [weak self] in self?.watch(idleLimit, delegate) }
    }

    /// Ends the exchange, with the response if the error is `nil`.
    private func end(_ error: TransportError?, _ delegate: SessionDelegate) {
        let (task, continuation, response) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.task = nil
                state.continuation = nil
            }
            return (state.task, state.continuation, state.response)
        }
        if let task { delegate.stop(task) }
        continuation?.resume(returning: error.map { .failure($0) } ?? .success(response))
    }

    // MARK: - Events of the task

    func receive(_ response: HTTPURLResponse, _ delegate: SessionDelegate) {
        let fields = response.allHeaderFields.compactMap { name, value -> TransportRequest.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return TransportRequest.Field(name.lowercased(), value)
        }
        state.withLock { state in
            state.response.status = response.statusCode
            state.response.fields = fields
            state.lastProgress = .now()
        }
        if stream != nil, response.statusCode != 200 { end(nil, delegate) }
    }

    func receive(_ data: Data, _ delegate: SessionDelegate) {
        guard !state.withLock({ $0.hasEnded }) else { return }
        let bytes = [UInt8](data)
        let step = state.withLock { state -> Step in
            state.lastProgress = .now()
            if let stream { return .piece(stream.receive) }
            guard bytes.count <= limit - state.response.body.count else { return .tooLarge }
            state.response.body += bytes
            return .nothing
        }
        switch step {
        case .nothing: return
        case .tooLarge: end(.invalid("The response has more than \(limit) bytes."), delegate)
        case .piece(let receive): if !receive(bytes) { end(nil, delegate) }
        }
    }

    /// Handles the end of the task.
    func complete(_ task: URLSessionTask, _ error: (any Error)?, _ delegate: SessionDelegate) {
        if let error {
            return end(TransportError(error, task.originalRequest?.url), delegate)
        }
        // FoundationNetworking does not deliver a response whose redirect address is invalid.
        if !hasHead, let response = task.response as? HTTPURLResponse { receive(response, delegate) }
        end(hasHead ? nil : .unreachable("There is no response."), delegate)
    }

    private var hasHead: Bool { state.withLock { $0.response.status != 0 } }
}

extension TransportError {
    /// Describes an error of `URLSession`, with the address and what to do next.
    fileprivate init(_ error: any Error, _ url: URL?) {
        let address = (url?.host ?? "the host") + (url?.port.map { ":\($0)" } ?? "")
        switch (error as? URLError)?.code {
        case .timedOut?: self = .timedOut
        case .cancelled?: self = .canceled
        case .cannotFindHost?, .dnsLookupFailed?:
            self = .unreachable("No host has the name \(url?.host ?? ""). Check the address of the service.")
        case .cannotConnectToHost?:
            self = .unreachable("Nothing accepts connections at \(address). Check the address of the service.")
        case .appTransportSecurityRequiresSecureConnection?:
            self = .unreachable(
                "The system allows only https. For a test, set NSAllowsLocalNetworking in the app's Info.plist.")
        case .notConnectedToInternet?: self = .unreachable("The device has no connection.")
        case .networkConnectionLost?: self = .unreachable("The connection to \(address) was lost.")
        case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
            .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?:
            self = .unreachable("TLS with \(address) failed. Check whether the server uses TLS, and its certificate.")
        default: self = .unreachable("\(address): \(error.localizedDescription)")
        }
    }
}
