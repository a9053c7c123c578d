/// A status code (RFC 9110 section 15).
package struct Status: RawRepresentable, Sendable, Hashable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ok = Status(rawValue: 200)
    package static let created = Status(rawValue: 201)
    package static let accepted = Status(rawValue: 202)
    package static let noContent = Status(rawValue: 204)
    package static let notModified = Status(rawValue: 304)
    package static let permanentRedirect = Status(rawValue: 308)
    package static let badRequest = Status(rawValue: 400)
    package static let unauthorized = Status(rawValue: 401)
    package static let forbidden = Status(rawValue: 403)
    package static let notFound = Status(rawValue: 404)
    package static let methodNotAllowed = Status(rawValue: 405)
    package static let notAcceptable = Status(rawValue: 406)
    package static let requestTimeout = Status(rawValue: 408)
    package static let conflict = Status(rawValue: 409)
    package static let gone = Status(rawValue: 410)
    package static let preconditionFailed = Status(rawValue: 412)
    package static let contentTooLarge = Status(rawValue: 413)
    package static let uriTooLong = Status(rawValue: 414)
    package static let unsupportedMediaType = Status(rawValue: 415)
    package static let expectationFailed = Status(rawValue: 417)
    package static let unprocessableContent = Status(rawValue: 422)
    package static let tooManyRequests = Status(rawValue: 429)
    package static let requestHeaderFieldsTooLarge = Status(rawValue: 431)
    package static let internalServerError = Status(rawValue: 500)
    package static let notImplemented = Status(rawValue: 501)
    package static let serviceUnavailable = Status(rawValue: 503)
    package static let httpVersionNotSupported = Status(rawValue: 505)
    package static let insufficientStorage = Status(rawValue: 507)
}
