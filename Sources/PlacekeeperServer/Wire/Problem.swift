import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// An error that becomes a problem document (RFC 9457).
struct Problem: Error {
    var document: Wire.Problem
    /// Additional fields of the response, such as `Allow`.
    var fields = ResponseFields()
    /// The head of the requested scene, if already known.
    var head: Revision?
    /// The refused archives, if none may be restored. They are added when the document is encoded.
    var refused: Refused?
    /// The cause, for logs only.
    var cause: String?

    init(_ code: ProblemCode, _ detail: String, head: Revision? = nil) {
        document = Wire.Problem(
            type: "/openapi.yaml#/x-problems/" + code.rawValue, title: code.title, status: Int(code.status),
            detail: detail, code: code.rawValue)
        self.head = head
    }

    // The status comes from the table of codes, so it fits.
    var status: Status { Status(rawValue: UInt16(document.status)) }

    /// The problem for an unknown path.
    static var notFound: Problem { Problem(.notFound, "The service has no resource at this path.") }

    static var unauthorized: Problem {
        var problem = Problem(.unauthorized, "Give a device token: Authorization: Bearer TOKEN.")
        problem.fields.add(.wwwAuthenticate, "Bearer")
        return problem
    }

    static func malformedField(_ name: FieldName, _ detail: String) -> Problem {
        var problem = Problem(.malformedField, detail)
        problem.document.parameter = name.spelling.description
        return problem
    }

    static func malformedQuery(_ name: StaticString, _ detail: String) -> Problem {
        var problem = Problem(.malformedQuery, detail)
        problem.document.parameter = name.description
        return problem
    }
}

extension Problem {
    /// Translates an error of a handler. Every error that a handler throws passes through here.
    init(translating error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ServiceError: self.init(error)
        default:
            self.init(.internalError, "The service failed. Its log has the cause, under the request id.")
            cause = String(describing: error)
        }
    }

    init(_ error: ServiceError) {
        guard let code = ProblemCode(rawValue: error.code.rawValue) else {
            self.init(.internalError, "The service failed. Its log has the cause, under the request id.")
            cause = "\(error.code.rawValue): \(error.message) \(error.cause ?? "")"
            return
        }
        if error.code == .callerGone {
            self = .unauthorized
        } else {
            self.init(code, [error.message, error.advice].compactMap(\.self).joined(separator: " "))
        }
        // A 401 response names the authentication scheme (RFC 9110 section 15.5.2).
        if status == .unauthorized, error.code != .callerGone { fields.add(.wwwAuthenticate, "Bearer") }
        cause = error.cause
        var details = error.details
        document.reason = details.removeValue(forKey: "reason")
        document.offset = details.removeValue(forKey: "offset").flatMap { Int($0) }
        // The advice already contains the data source's name, so it is removed from the details.
        if code == .itemsNotRegistered { details["dataSource"] = nil }
        if code == .appUnknown { point(to: ["app"]) }
        if let member = error.member { point(to: member.map(\.token)) }
        if !details.isEmpty { document.details = details }
        if let wait = error.retryAfter { retry(after: wait) }
        if let excess = error.excess { fields.add(excess) }
    }

    /// Translates a refusal by the HTTP codec or the transport, for example after a deadline.
    init(_ refusal: Refusal) {
        let code: ProblemCode =
            switch refusal.status {
            case .requestTimeout: .requestTimeout
            case .contentTooLarge: .contentTooLarge
            case .uriTooLong: .targetTooLong
            case .unsupportedMediaType: .unsupportedContentCoding
            case .expectationFailed: .expectationFailed
            case .requestHeaderFieldsTooLarge: .fieldsTooLarge
            case .notImplemented: .notImplemented
            case .httpVersionNotSupported: .versionNotSupported
            case .serviceUnavailable: .overloaded
            case .internalServerError: .internalError
            default: .malformedRequest
            }
        self.init(code, refusal.message)
        document.reason = refusal.code
        if code == .overloaded { retry(after: .seconds(1)) }
    }

    /// Adds the pointer to a member of the body (RFC 6901 section 3).
    mutating func point(to path: [String]) {
        document.pointer = path.reduce(into: "") { pointer, token in
            pointer += "/"
            for character in token {
                pointer += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
            }
        }
    }

    /// Adds `Retry-After` in whole seconds, rounded up (RFC 9110 section 10.2.3).
    mutating func retry(after wait: Duration) {
        let milliseconds = max(wait.wholeMilliseconds, 0)
        fields.add(.retryAfter, max(1, (milliseconds + 999) / 1000))
    }
}
