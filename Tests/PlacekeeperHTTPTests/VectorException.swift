import PlacekeeperHTTP

/// Test vectors for which the expected statuses differ from the result of the parser that published the vectors, with
/// the reason.
struct VectorException {
    var words: String
    var answers: [Status]
    var ids: Set<String>

    static let all: [VectorException] = [
        VectorException(
            words: """
                RFC 9112 section 9.6: "The server MUST NOT process any further requests received on that connection." \
                The request that closes the connection gets a response. Bytes after it are ignored.
                """,
            answers: [.ok],
            ids: [
                "llhttp/connection/No restart when keep-alive is off (1.0)",
                "llhttp/connection/CRLF between requests, explicit `close`",
                "llhttp/connection/CRLF between requests, explicit `close` followed by tab",
            ]),
        VectorException(
            words: """
                RFC 9112 section 6.3: "If a valid Content-Length header field is present without Transfer-Encoding, \
                its decimal value defines the expected message body length in octets." The second request is content \
                of the first request, and the remaining content never arrives.
                """,
            answers: [.badRequest],
            ids: ["llhttp/content-length/Content-Length reset when no body is received"]),
        VectorException(
            words: """
                RFC 9112 section 3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 \
                request message that lacks a Host header field".
                """,
            answers: [.badRequest],
            ids: ["llhttp/sample/Prefix newline", "llhttp/sample/Request starting with CRLF"]),
        VectorException(
            words: """
                RFC 9112 sections 2.3 and 3: "request-line = method SP request-target SP HTTP-version", and \
                "HTTP-name = %s"HTTP"". HTTP/0.9, RTSP and ICE are other protocols.
                """,
            answers: [.badRequest],
            ids: [
                "llhttp/sample/No HTTP version", "llhttp/method/SOURCE request with ICE",
                "llhttp/method/OPTIONS request with RTSP", "llhttp/method/ANNOUNCE request with RTSP",
            ]),
        VectorException(
            words: "RFC 3986 section 2.1: \"pct-encoded = \"%\" HEXDIG HEXDIG\".",
            answers: [.badRequest],
            ids: httparse("093", "100", "101", "102", "103", "176", "177", "255")),
        VectorException(
            words: """
                RFC 9112 section 3.2: "request-target = origin-form / absolute-form / authority-form / \
                asterisk-form". A reference that begins with neither a slash nor a scheme is none of them.
                """,
            answers: [.badRequest],
            ids: httparse(
                "056", "057", "058", "059", "060", "066", "067", "119", "129", "130", "131", "132", "133", "145", "146",
                "147", "148", "149", "168", "169", "174", "175", "231", "232", "248")),
        VectorException(
            words: """
                RFC 9110 section 7.4: "an origin server MUST reject a request if any scheme-specific requirements for \
                the target URI are not met". The server supports none of these schemes.
                """,
            answers: [.badRequest],
            ids: httparse("244", "245")),
    ]

    private static func httparse(_ numbers: String...) -> Set<String> {
        Set(numbers.map { "httparse/urltest_" + $0 })
    }
}
