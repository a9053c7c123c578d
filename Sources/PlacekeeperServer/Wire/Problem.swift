import HTTPCodec
import PlacekeeperAPI
import RestorationService

/// Why a request is refused: what becomes a problem document (RFC 9457).
struct Problem: Error {
    var document: Wire.Problem
    /// What the answer carries besides, such as `Allow`.
    var fields = ResponseFields()
    /// The head of the scene that was asked about, where it is known already.
    var head: Revision?
    /// The archives that are refused, where nothing may be restored. They are written into the document last.
    var refused: Refused?
    /// For logs only.
    var cause: String?

    init(_ code: ProblemCode, _ detail: String, head: Revision? = nil) {
        document = Wire.Problem(
            type: "/openapi.yaml#/x-problems/" + code.rawValue, title: code.title, status: Int(code.status),
            detail: detail, code: code.rawValue)
        self.head = head
    }

    var status: Status { Status(rawValue: UInt16(document.status)) }

    /// What there is nothing of, and what is not the caller's.
    static var notFound: Problem { Problem(.notFound, "Nothing answers to this path.") }

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
    /// Translates whatever a handler threw: the one place where errors become answers.
    init(translating error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ServiceError: self.init(error)
        default:
            self.init(.internalError, "The service failed; the request id finds the cause in its log.")
            cause = String(describing: error)
        }
    }

    init(_ error: ServiceError) {
        guard let code = ProblemCode(rawValue: error.code.rawValue) else {
            self.init(.internalError, "The service failed; the request id finds the cause in its log.")
            cause = "\(error.code.rawValue): \(error.message) \(error.cause ?? "")"
            return
        }
        self.init(code, error.message)
        cause = error.cause
        var details = error.details
        document.reason = details.removeValue(forKey: "reason")
        document.offset = details.removeValue(forKey: "offset").flatMap { Int($0) }
        if code == .deviceTextInvalid, let member = details.removeValue(forKey: "member") {
            document.pointer = "/" + member
        }
        if code == .appUnknown { document.pointer = "/app" }
        if let member = details["member"], member.hasPrefix("/") {
            document.pointer = member
            details["member"] = nil
        }
        if !details.isEmpty { document.details = details }
        if let wait = error.retryAfter { retry(after: wait) }
    }

    /// What the codec or a deadline refused, before there was a request.
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

    /// Says when to come again: whole seconds, rounded up (RFC 9110 section 10.2.3).
    mutating func retry(after wait: Duration) {
        let milliseconds = max(wait.wholeMilliseconds, 0)
        fields.add(.retryAfter, max(1, (milliseconds + 999) / 1000))
    }
}
