package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`. This transport has not run on a device.
///
/// FoundationNetworking hangs on some responses and ignores the session's time limits, so each request has a deadline of
/// this transport's own.
package final class URLSessionTransport: Transport {
    private let server: URL

    package init(_ server: URL) { self.server = server }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let exchange = Exchange(limit: request.responseLimit, receive: nil)
        try await run(request, exchange, deadline: request.deadline, idleLimit: nil)
        return try exchange.response()
    }

    package func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) {
        let exchange = Exchange(limit: 64 << 10, receive: receive)
        try await run(request, exchange, deadline: nil, idleLimit: idleLimit)
    }

    private func run(
        _ request: TransportRequest, _ exchange: Exchange, deadline: Double?, idleLimit: Double?
    ) async throws(TransportError) {
        guard let url = URL(string: server.absoluteString.trimmingSlash + request.target) else {
            throw .invalid("The address of the service is not valid.")
        }
        var urlRequest = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        urlRequest.httpMethod = request.method
        urlRequest.httpShouldHandleCookies = false
        urlRequest.timeoutInterval = deadline ?? 60
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        let error = await exchange.run(urlRequest, deadline: deadline, idleLimit: idleLimit)
        if let error { throw error }
    }
}

extension String {
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
