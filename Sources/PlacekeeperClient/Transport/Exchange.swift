import Concurrency
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response with `URLSession`.
///
/// Each exchange ends once: at the end of the response, at an error, at its deadline, or when its task is canceled.
final class Exchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // The class is Sendable, because its state is in a lock box.
    private struct State {
        var session: URLSession?
        var continuation: CheckedContinuation<TransportError?, Never>?
        var hasEnded = false
        var status = 0
        var fields: [TransportRequest.Field] = []
        var body: [UInt8] = []
        var lastProgress = DispatchTime.now()
    }

    private let state = LockBox(State())
    private let limit: Int
    private let receive: (@Sendable ([UInt8]) -> Bool)?
    private static let timers = DispatchQueue(label: "placekeeper.deadlines")

    /// - Parameter receive: receives the pieces of the body of a 200 response. Nil if the body is collected.
    init(limit: Int, receive: (@Sendable ([UInt8]) -> Bool)?) {
        self.limit = limit
        self.receive = receive
    }

    func response() throws(TransportError) -> TransportResponse {
        let (status, fields, body) = state.withLock { ($0.status, $0.fields, $0.body) }
        guard status != 0 else { throw .unreachable("There is no response.") }
        return TransportResponse(status: status, fields: fields, body: body)
    }

    /// Sends the request, and returns at the end of the exchange with its error.
    func run(_ request: URLRequest, deadline: Double?, idleLimit: Double?) async -> TransportError? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(request, continuation)
                if let deadline {
                    Self.timers.asyncAfter(deadline: .now() + deadline) { [weak self] in self?.end(.timedOut) }
                }
                if let idleLimit { watch(idleLimit) }
            }
        } onCancel: {
            end(.canceled)
        }
    }

    private func start(_ request: URLRequest, _ continuation: CheckedContinuation<TransportError?, Never>) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        let hasEnded = state.withLock { state in
            if !state.hasEnded {
                state.session = session
                state.continuation = continuation
            }
            return state.hasEnded
        }
        guard !hasEnded else {
            session.invalidateAndCancel()
            return continuation.resume(returning: .canceled)
        }
        session.dataTask(with: request).resume()
    }

    private func watch(_ idleLimit: Double) {
        Self.timers.asyncAfter(deadline: .now() + idleLimit) { [weak self] in
            guard let self else { return }
            let idle = state.withLock { state in
                state.hasEnded ? nil : DispatchTime.now().uptimeNanoseconds - state.lastProgress.uptimeNanoseconds
            }
            guard let idle else { return }
            if Double(idle) / 1e9 >= idleLimit { end(.timedOut) } else { watch(idleLimit) }
        }
    }

    private func end(_ error: TransportError?) {
        let ended = state.withLock { state -> (URLSession?, CheckedContinuation<TransportError?, Never>?) in
            defer {
                state.hasEnded = true
                state.session = nil
                state.continuation = nil
            }
            return (state.session, state.continuation)
        }
        ended.1?.resume(returning: error)
        // FoundationNetworking can crash if a task is canceled while its delegate runs, so the session is ended later.
        if let session = ended.0 { Self.timers.async { session.invalidateAndCancel() } }
    }

    // MARK: - URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The token is for this service only.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        let fields = response.allHeaderFields.compactMap { name, value -> TransportRequest.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return TransportRequest.Field(name.lowercased(), value)
        }
        state.withLock { state in
            state.status = response.statusCode
            state.fields = fields
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let bytes = [UInt8](data)
        let (isTooLarge, isStream) = state.withLock { state in
            state.lastProgress = .now()
            if state.status == 200, receive != nil { return (false, true) }
            guard state.body.count + bytes.count <= limit else { return (true, false) }
            state.body += bytes
            return (false, false)
        }
        if isTooLarge { return end(.invalid("The response has more than \(limit) bytes.")) }
        if isStream, receive?(bytes) == false { end(nil) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else { return end(nil) }
        end((error as? URLError)?.code == .timedOut ? .timedOut : .unreachable("\(error)"))
    }
}
