package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with one `URLSession`, so that further requests use kept connections. This transport has not run on a
/// device.
///
/// FoundationNetworking hangs on some responses and ignores the session's time limits, so each request has a deadline of
/// this transport's own. On Linux, FoundationNetworking does not limit the head of a response or the body of a redirect
/// before this deadline, and has no flow control for a stream. FoundationNetworking of Swift 6.3 ends the process if the
/// connection is closed within the head of a response.
package final class URLSessionTransport: Transport {
    private let server: String
    private let session: URLSession
    private let delegate = SessionDelegate()

    package init(_ server: URL) {
        let address = server.absoluteString
        self.server = address.hasSuffix("/") ? String(address.dropLast()) : address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
    }

    // No exchange is running: an exchange keeps its transport. The session keeps its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await run(request, stream: nil)
    }

    package func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        _ = try await run(request, stream: Exchange.Stream(idleLimit: idleLimit, receive: receive))
    }

    private func run(
        _ request: TransportRequest, stream: Exchange.Stream?
    ) async throws(TransportError) -> TransportResponse {
        try request.check()
        guard let url = URL(string: server + request.target), ["http", "https"].contains(url.scheme), url.host != nil
        else { throw .invalid("The address of the service needs http or https, and a host: \(server).") }
        var urlRequest = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        urlRequest.httpMethod = request.method
        // The exchange ends at its own deadline. FoundationNetworking ends the process if its timer ends a request
        // whose redirect the delegate handles at this moment.
        urlRequest.timeoutInterval = 86_400
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let exchange = Exchange(limit: request.responseLimit, stream: stream)
        return try await exchange.run(urlRequest, on: session, delegate, deadline: request.deadline).get()
    }
}
