import PlacekeeperTestSupport
@testable import PlacekeeperHTTP
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests with the public request vectors of llhttp and httparse. `PLACEKEEPER_CORPORA` names their folder.
@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"))
struct CorporaTests {
    @Test func givesEachRequestVectorTheExpectedStatus() throws {
        let vectors = try Vector.read("llhttp-requests.jsonl").filter { $0.scope == "strict" }
        #expect(vectors.count == 130)
        for vector in vectors { check(vector) }
    }

    @Test func givesEachTargetVectorTheExpectedStatus() throws {
        let vectors = try Vector.read("httparse-targets.jsonl")
        #expect(vectors.count == 263)
        for vector in vectors { check(vector) }
    }

    @Test func namesOnlyExistingVectorsAsExceptions() throws {
        let vectors = try Vector.read("llhttp-requests.jsonl") + Vector.read("httparse-targets.jsonl")
        let ids = Set(vectors.map(\.id))
        for exception in VectorException.all { #expect(ids.isSuperset(of: exception.ids), "\(exception.words)") }
    }

    private func check(_ vector: Vector) {
        let whole = Transcript(whole: vector.bytes)
        let answers = whole.answers
        if let exception = VectorException.all.first(where: { $0.ids.contains(vector.id) }) {
            #expect(answers == exception.answers, "\(vector.id)")
        } else if vector.kind == .valid {
            // For unknown methods and transfer codings, the server correctly responds with 501.
            let count = vector.complete ?? 1
            #expect(answers.count >= count, "\(vector.id)")
            #expect(answers.prefix(count).allSatisfy { $0 == .ok || $0 == .notImplemented }, "\(vector.id)")
        } else {
            #expect(answers.last.map { $0.rawValue >= 400 } == true, "\(vector.id)")
        }

        #expect(Transcript(byteByByte: vector.bytes) == whole, "\(vector.id)")
        // After an incomplete message, the bytes of the next request would belong to this message, so they are not
        // added.
        guard !whole.isInsideMessage else { return }
        let next = Array(RequestDecoderTests.next.utf8)
        let followed = Transcript(whole: vector.bytes + next)
        #expect(followed.messages.starts(with: whole.messages), "\(vector.id)")
        #expect(followed.refusal == whole.refusal, "\(vector.id)")
        let isOpen = whole.refusal == nil && whole.messages.last?.keepsAlive == true
        #expect(followed.messages.count == whole.messages.count + (isOpen ? 1 : 0), "\(vector.id)")
    }
}

extension Transcript {
    /// The statuses that a server sends for these bytes if its routes always succeed and the peer then closes its side.
    var answers: [Status] {
        var answers = messages.filter(\.isWhole).map { $0.method == .other ? Status.notImplemented : .ok }
        if let refusal { answers.append(refusal.status) }
        if isInsideMessage { answers.append(Refusal(.messageIncomplete).status) }
        return answers
    }
}

/// A test vector, which is one line of a file.
struct Vector: Decodable {
    enum Kind: String, Decodable {
        case valid, invalid
    }

    var id: String
    var kind: Kind
    var scope: String
    var b64: Data
    /// The number of complete messages. Nil means one.
    var complete: Int?

    var bytes: [UInt8] { [UInt8](b64) }

    static func read(_ name: String) throws -> [Vector] {
        let lines = Data(try Corpora.bytes("http/" + name)).split(separator: 0x0A)
        return try lines.map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
    }
}
