import Concurrency

/// A scene's head as a store remembers it, and with it what was answered from it: whatever makes the store forget the
/// one takes the other with it (docs/decisions/0047-latest-answers-are-remembered.md).
package final class RememberedHead: Sendable {
    package let archive: Archive
    package let bytes: [UInt8]?
    private let answers = LockBox<[RememberedAnswer]>([])

    package init(_ archive: Archive, bytes: [UInt8]? = nil) {
        self.archive = archive
        self.bytes = bytes
    }

    func answer(to question: ArraySlice<UInt8>, of caller: Caller, at now: Timestamp) -> RememberedAnswer? {
        answers.withLock { answers in
            let index = answers.firstIndex {
                $0.caller === caller && now <= $0.expiry && $0.question.elementsEqual(question)
            }
            return index.map { answers[$0] }
        }
    }

    /// Bytes of the archive and of its answers that are held.
    package var size: Int {
        answers.withLock { answers in answers.reduce(bytes?.count ?? 0) { $0 + $1.size } }
    }

    /// To be called by the store, which weighs what it holds.
    package func remember(_ answer: RememberedAnswer) {
        answers.withLock { answers in
            answers.removeAll { $0.caller.device.id == answer.caller.device.id && $0.question == answer.question }
            if answers.count == Self.limit { answers.removeFirst() }
            answers.append(answer)
        }
    }

    /// Most scenes are asked for by a few devices, each of which asks in the same words again and again.
    private static let limit = 3
    /// Bytes of a question that is kept.
    static let longestQuestion = 256
}

/// What a device was answered with when it asked for a scene's latest archive.
package struct RememberedAnswer: Sendable {
    /// The very object: whatever changes of a device or of its app's policy makes another one of it.
    let caller: Caller
    /// The caller's own words for what it asks, and for what it is and runs.
    let question: [UInt8]
    /// The head grows too old behind it.
    let expiry: Timestamp
    let form: any AnswerForm
    /// Bytes of content that the form holds besides what the head does.
    package let size: Int
    /// What it knew of the user's identities; nil when it depends on none.
    let identity: IdentityVersions.Stamp?
}

/// An answer in the form that the requesting device's protocol gives it. The domain keeps it, and does not look into it.
package typealias AnswerForm = AnyObject & Sendable
