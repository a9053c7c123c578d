import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

@Suite struct RequestReaderTests {
    /// Returns the results of a reader that gets `text`, `size` bytes at a time: the path and the body of each request,
    /// and the code of a refusal. The reader accepts bodies of up to `limit` bytes.
    private static func requests(in text: String, limit: Int, size: Int) -> [String] {
        var reader = RequestReader(limits: .init())
        var results: [String] = []
        var pending: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            pending += rest.prefix(size)
            rest = rest.dropFirst(size)
            var isStarved = false
            while !isStarved {
                var offset = 0
                let step = pending.withUnsafeBytes { reader.next($0, &offset) }
                pending.removeFirst(offset)
                switch step {
                case .needsMore: isStarved = true
                case .announced:
                    guard let refusal = reader.accept(bodyLimit: limit) else { continue }
                    return results + [refusal.code]
                case .collected: #expect(reader.isInsideBody)
                case .request(let head, let body, _):
                    #expect(!reader.isInsideBody)
                    results.append(String(decoding: head.bytes[head.path] + body, as: UTF8.self))
                case .refused(let refusal): return results + [refusal.code]
                }
            }
        }
        return results
    }

    @Test(arguments: [1, 2, 7, 1000])
    func readsTheSameRequestsForEverySplit(size: Int) {
        let text =
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz"
            + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
            + "PUT /d HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /e HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(Self.requests(in: text, limit: 3, size: size) == ["/a", "/bxyz", "/cabc", "/d", "/e"])
    }

    @Test func givesEachAdmittedRequestItsAdmissionTime() {
        let text =
            "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxPUT /b HTTP/1.1\r\nHost: a\r\n"
            + "Content-Length: 1\r\n\r\nyGET /c HTTP/1.1\r\nHost: a\r\n\r\n"
        var reader = RequestReader(limits: RequestDecoder.Limits())
        var (offset, admissions) = (0, Int64(0))
        var notes: [Int64?] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            while offset < bytes.count {
                switch reader.next(bytes, &offset) {
                case .announced:
                    admissions += 1
                    #expect(reader.accept(bodyLimit: 1, note: admissions) == nil)
                case .request(_, _, let note): notes.append(note as? Int64)
                case .needsMore, .collected, .refused: continue
                }
            }
        }
        #expect(notes == [1, 2, nil])
    }

    @Test(
        arguments: [1, 1000],
        ["Content-Length: 4\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"])
    func refusesContentOverTheLimit(size: Int, rest: String) {
        let text = "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPUT /b HTTP/1.1\r\nHost: a\r\n" + rest
        #expect(Self.requests(in: text, limit: 3, size: size) == ["/a", "content-too-large"])
    }
}
