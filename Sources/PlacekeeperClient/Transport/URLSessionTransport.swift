package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests over one `URLSession`, which reuses connections. Not verified on an Apple device.
///
/// FoundationNetworking hangs on some responses and ignores the session's timeouts, so this transport sets its own
/// deadline for each request. On Linux, only this deadline limits the size of a response head or of a redirect's body,
/// and a stream has no flow control. In Swift 6.3, FoundationNetworking crashes the process if the connection closes in
/// the middle of a response head.
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

    // No exchange is running, because a running exchange retains its transport. The session retains its delegate until
    // it is invalidated.
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
        guard let url = URL(string: server + request.target), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host != nil
        else { throw .invalid("The address of the service needs http or https, and a host.") }
        var urlRequest = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        urlRequest.httpMethod = request.method
        // The exchange has its own deadline. FoundationNetworking crashes the process if its timer ends a request while
        // the delegate handles a redirect of the same request.
        urlRequest.timeoutInterval = 86_400
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let exchange = Exchange(limit: request.responseLimit, stream: stream)
        return try await exchange.run(urlRequest, on: session, delegate, deadline: request.deadline).get()
    }
}
