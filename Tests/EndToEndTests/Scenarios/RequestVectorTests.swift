import PlacekeeperTestSupport
import PlacekeeperHTTP
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends public request vectors to a service, whole and in pieces. The codec's own tests compare the codec's reading
/// with the vectors. These tests require responses that match the codec's reading.
@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"), .timeLimit(.minutes(20)))
struct RequestVectorTests {
    @Test(arguments: ["llhttp-requests.jsonl", "httparse-targets.jsonl"])
    func answersTheSameBytesAlikeInAnyPieces(file: String) async throws {
        let lines = try Data(contentsOf: URL(fileURLWithPath: "\(Corpora.folder ?? "")/http/\(file)"))
        let vectors = try lines.split(separator: 0x0A).map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
        try #require(vectors.count >= 130)
        try await withService { service in
            let port = service.address.port
            for vector in vectors {
                let reading = Reading(of: vector.bytes)
                let whole = try await Self.answers(to: [vector.bytes], reading, port)
                #expect(whole.count == reading.methods.count + (reading.refusal == nil ? 0 : 1), "\(vector.id)")
                for answer in whole.prefix(reading.methods.count) {
                    #expect(answer.code != "malformed-request", "\(vector.id)")
                }
                if let refusal = reading.refusal {
                    #expect(whole.last?.status == Int(refusal.rawValue), "\(vector.id)")
                    #expect(whole.last?.field("Content-Type") == "application/problem+json", "\(vector.id)")
                    #expect(whole.last?.field("Connection")?.lowercased() == "close", "\(vector.id)")
                }
                let bytes = try await Self.answers(to: vector.bytes.map { [$0] }, reading, port)
                #expect(bytes == whole, "\(vector.id)")
                guard !reading.isInsideMessage else { continue }
                // If the connection stays open, the service answers the next request. If not, the service does not read
                // the next request.
                let next = vector.bytes + Array("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
                let followed = try await Self.answers(to: [next], Reading(of: next), port)
                #expect(followed.starts(with: whole), "\(vector.id)")
                let isOpen = reading.refusal == nil && whole.last?.field("Connection")?.lowercased() != "close"
                #expect(followed.dropFirst(whole.count).map(\.status) == (isOpen ? [200] : []), "\(vector.id)")
            }
            #expect(try await service.address.request("GET", "/readyz").status == 200)
        }
    }

    /// Sends the pieces one by one, and reads the responses until the service closes the connection.
    private static func answers(
        to pieces: [[UInt8]], _ reading: Reading, _ port: UInt16
    ) async throws -> [AnonymousReply] {
        try await Line(port: port).run { connection in
            // If the service refuses a message, it may close the connection before the last piece is sent.
            for piece in pieces { do { try connection.send(piece) } catch { break } }
            connection.finishSending()
            var replies: [AnonymousReply] = []
            for method in reading.methods { replies.append(try connection.reply(to: method).withoutRequestID) }
            if reading.refusal != nil { replies.append(try connection.reply().withoutRequestID) }
            #expect(try connection.remainder().isEmpty)
            return replies
        }
    }
}

private struct Vector: Decodable {
    var id: String
    var b64: Data

    var bytes: [UInt8] { [UInt8](b64) }
}

/// The codec's reading of some bytes at the end of input.
private struct Reading {
    /// The method of each complete message.
    var methods: [String] = []
    var refusal: Status?
    /// Whether the bytes end inside a message.
    var isInsideMessage = false

    init(of bytes: [UInt8]) {
        var decoder = RequestDecoder()
        var offset = 0
        var method = ""
        bytes.withUnsafeBytes { bytes in
            while true {
                let (event, consumed) = decoder.next(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                offset += consumed
                switch event {
                case .head(let head): method = head.method == .head ? "HEAD" : "GET"
                case .body: continue
                case .end: methods.append(method)
                case .refused(let refusal):
                    self.refusal = refusal.status
                    return
                case .needsMore:
                    refusal = decoder.refusalAtEndOfInput?.status
                    isInsideMessage = refusal != nil
                    return
                }
            }
        }
    }
}

extension AnonymousReply {
    func field(_ name: String) -> String? {
        fields.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    var code: String? {
        Reply(status: status, fields: [("Content-Type", field("Content-Type") ?? "")], body: body).code
    }
}
