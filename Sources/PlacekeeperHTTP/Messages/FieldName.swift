/// A field name (RFC 9110 section 5.1) that is known at compile time. Comparison ignores case.
package struct FieldName: Sendable {
    package let spelling: StaticString
    package init(_ spelling: StaticString) { self.spelling = spelling }

    package static let accept = FieldName("Accept")
    package static let acceptEncoding = FieldName("Accept-Encoding")
    package static let allow = FieldName("Allow")
    package static let authorization = FieldName("Authorization")
    package static let cacheControl = FieldName("Cache-Control")
    package static let connection = FieldName("Connection")
    package static let contentDisposition = FieldName("Content-Disposition")
    package static let contentEncoding = FieldName("Content-Encoding")
    package static let contentLength = FieldName("Content-Length")
    package static let contentType = FieldName("Content-Type")
    package static let cookie = FieldName("Cookie")
    package static let date = FieldName("Date")
    package static let etag = FieldName("ETag")
    package static let expect = FieldName("Expect")
    package static let host = FieldName("Host")
    package static let ifMatch = FieldName("If-Match")
    package static let ifNoneMatch = FieldName("If-None-Match")
    package static let lastEventID = FieldName("Last-Event-ID")
    package static let link = FieldName("Link")
    package static let location = FieldName("Location")
    package static let origin = FieldName("Origin")
    package static let requestID = FieldName("X-Request-ID")
    package static let retryAfter = FieldName("Retry-After")
    package static let setCookie = FieldName("Set-Cookie")
    package static let transferEncoding = FieldName("Transfer-Encoding")
    package static let vary = FieldName("Vary")
    package static let wwwAuthenticate = FieldName("WWW-Authenticate")
}
