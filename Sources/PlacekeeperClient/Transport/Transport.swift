/// Sends the client's requests to the service.
///
/// A transport follows no redirects, sends the token to no other host, and keeps neither cookies nor a cache. The tests
/// in `TransportTests` check every transport for this.
package protocol Transport: Sendable {
    /// Sends a request and returns the response, whatever its status. Ends at the request's deadline.
    ///
    /// Throws `invalid` if the body is larger than `responseLimit` bytes, and `canceled` if the task is canceled.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Sends a request and delivers the body of a 200 response piece by piece. Returns at the end of the body, when
    /// `receive` returns false, or if the status is not 200.
    ///
    /// Throws `timedOut` if the head does not arrive before the request's deadline, or after a pause of more than
    /// `idleLimit` seconds. The body may have any size.
    ///
    /// - Parameter receive: Called for one piece at a time. Must not block.
    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError)
}

/// A request of the client.
package struct TransportRequest: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    /// The path and the query, percent-encoded.
    package var target: String
    package var fields: [Field]
    package var body: [UInt8]
    /// The seconds within which the whole response must arrive.
    package var deadline: Double
    /// The maximum size of the response body, in bytes.
    package var responseLimit: Int

    package init(
        _ method: String, _ target: String, fields: [Field] = [], body: [UInt8] = [], deadline: Double = 30,
        responseLimit: Int = 1 << 20
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.deadline = deadline
        self.responseLimit = responseLimit
    }
}

/// A response from the service, or from something else that answered in its place.
package struct TransportResponse: Sendable, Equatable {
    package var status: Int
    /// The fields, with lowercase names.
    package var fields: [TransportRequest.Field]
    package var body: [UInt8]

    package init(status: Int, fields: [TransportRequest.Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field with this lowercase name.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// Why no response arrived.
package enum TransportError: Error, Sendable, Equatable {
    /// There is no connection to the service, or it was lost.
    case unreachable(String)
    /// The deadline passed.
    case timedOut
    /// The response is not valid HTTP, or its body is too large.
    case invalid(String)
    /// The task was canceled.
    case canceled
}

extension TransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let text), .invalid(let text): text
        case .timedOut: "The service did not answer in time."
        case .canceled: "The request was canceled."
        }
    }
}
