import PlacekeeperHTTP
import Testing

@Suite struct ResponseFieldsTests {
    @Test func writesFieldLines() {
        var fields = ResponseFields()
        fields.add(.contentType, "text/plain")
        fields.add(.location, String("/a/é"))
        fields.add(.etag, Array("\"1\"".utf8))
        fields.add(.retryAfter, 0)
        fields.add(.retryAfter, UInt64.max)
        fields.add(.retryAfter, -5)
        let text = String(decoding: fields.bytes, as: UTF8.self)
        #expect(
            text == "Content-Type: text/plain\r\nLocation: /a/é\r\nETag: \"1\"\r\nRetry-After: 0\r\n"
                + "Retry-After: 18446744073709551615\r\nRetry-After: -5\r\n")
        #expect(fields[.location] == "/a/é")
        #expect(fields.values(of: .retryAfter) == ["0", "18446744073709551615", "-5"])
        #expect(fields[.date] == nil)
    }

    @Test func replacesControlBytesInValues() {
        var fields = ResponseFields()
        fields.add(.location, String("/\r\nSet-Cookie: a=b\0\u{7F}\u{1F}\tlong enough"))
        fields.add(.etag, [0x22, 0x0D, 0x0A, 0x22].lazy.map { UInt8($0) })
        #expect(
            String(decoding: fields.bytes, as: UTF8.self)
                == "Location: /  Set-Cookie: a=b   \tlong enough\r\nETag: \"  \"\r\n")
    }
}
