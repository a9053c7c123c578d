import PlacekeeperHTTP
import Testing

@testable import PlacekeeperSockets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends public request vectors to a running server. The statuses of the responses must match the codec's results.
/// Other tests compare the codec with the vectors. `PLACEKEEPER_CORPORA` names the folder of the vectors.
@Suite(.enabled(if: Vector.folder != nil, "PLACEKEEPER_CORPORA is not set"), .timeLimit(.minutes(20)), .everyPoller)
struct CorporaTests {
    @Test(arguments: [false, true])
    func respondsToEachVectorAsTheCodecReadsIt(byteByByte: Bool) async throws {
        let vectors = try Vector.read("llhttp-requests.jsonl")
        try #require(!vectors.isEmpty)
        try await withServer(TestResponder { _ in Response(.ok) }) { server in
            for vector in vectors {
                let client = try server.connect()
                // After a refusal, the server may close the connection before the client has sent all bytes, so errors
                // of sending are ignored.
                if byteByByte {
                    try? await client.sendByteByByte(vector.bytes)
                } else {
                    try? await client.send(vector.bytes)
                }
                try? await client.finishSending()
                let bytes = try await client.bytesToEnd()
                let answers = ReceivedResponse.parseAll(bytes)?.map(\.status).filter { $0 >= 200 }
                #expect(answers == vector.answers, "\(vector.id)")
            }
            await server.wait { $0.openConnections == 0 && $0.bufferedBytes == 0 }
        }
    }
}

private struct Vector: Decodable {
    var id: String
    var b64: Data

    var bytes: [UInt8] { [UInt8](b64) }

    static let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"]

    static func read(_ name: String) throws -> [Vector] {
        let lines = try Data(contentsOf: URL(filePath: (folder ?? "") + "/http/" + name)).split(separator: 0x0A)
        return try lines.map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
    }

    /// The expected statuses, from decoding the bytes with the codec.
    var answers: [Int] {
        var decoder = RequestDecoder()
        var answers: [Int] = []
        var offset = 0
        let bytes = bytes
        bytes.withUnsafeBytes { bytes in
            while true {
                let (event, consumed) = decoder.next(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                offset += consumed
                switch event {
                case .head, .body: continue
                case .end: answers.append(200)
                case .refused(let refusal): return answers.append(Int(refusal.status.rawValue))
                case .needsMore:
                    if let refusal = decoder.refusalAtEndOfInput { answers.append(Int(refusal.status.rawValue)) }
                    return
                }
            }
        }
        return answers
    }
}
