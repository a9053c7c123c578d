import PlacekeeperHTTP
import Testing

@Suite struct StatusTests {
    @Test(
        arguments: [
            (.ok, "200 OK"), (.created, "201 Created"), (.noContent, "204 No Content"),
            (.notModified, "304 Not Modified"), (.badRequest, "400 Bad Request"),
            (.unauthorized, "401 Unauthorized"), (.forbidden, "403 Forbidden"), (.notFound, "404 Not Found"),
            (.methodNotAllowed, "405 Method Not Allowed"), (.notAcceptable, "406 Not Acceptable"),
            (.requestTimeout, "408 Request Timeout"), (.conflict, "409 Conflict"), (.gone, "410 Gone"),
            (.preconditionFailed, "412 Precondition Failed"), (.contentTooLarge, "413 Content Too Large"),
            (.uriTooLong, "414 URI Too Long"), (.unsupportedMediaType, "415 Unsupported Media Type"),
            (.expectationFailed, "417 Expectation Failed"), (.unprocessableContent, "422 Unprocessable Content"),
            (.tooManyRequests, "429 Too Many Requests"),
            (.requestHeaderFieldsTooLarge, "431 Request Header Fields Too Large"),
            (.internalServerError, "500 Internal Server Error"), (.notImplemented, "501 Not Implemented"),
            (.serviceUnavailable, "503 Service Unavailable"),
            (.httpVersionNotSupported, "505 HTTP Version Not Supported"),
            (.insufficientStorage, "507 Insufficient Storage"),
        ] as [(Status, String)])
    func sendsTheStandardReasonOfEachStatus(status: Status, line: String) {
        var out: [UInt8] = []
        _ = ResponseEncoder.append(
            Response(status), for: .init(method: .get, minorVersion: 1, keepsAlive: true), date: [], to: &out)
        let head = String(decoding: out, as: UTF8.self)
        #expect(head.split(separator: "\r\n").first == "HTTP/1.1 \(line)")
    }
}
