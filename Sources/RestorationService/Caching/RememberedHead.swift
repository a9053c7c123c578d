import Concurrency

/// A scene's head in a store's memory, with the answers that were made from the head. When the store drops the head,
/// it drops these answers too (docs/decisions/0033-heads-are-remembered.md).
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

    /// The number of bytes that the archive and its answers hold in memory.
    package var size: Int {
        answers.withLock { answers in answers.reduce(bytes?.count ?? 0) { $0 + $1.size } }
    }

    /// Keeps an answer. Only the store calls this method, because the store accounts for the memory.
    package func remember(_ answer: RememberedAnswer) {
        answers.withLock { answers in
            answers.removeAll { $0.caller.device.id == answer.caller.device.id && $0.question == answer.question }
            if answers.count == Self.limit { answers.removeFirst() }
            answers.append(answer)
        }
    }

    /// The maximum number of kept answers. Most scenes are requested by a few devices, and each device repeats the
    /// same request.
    private static let limit = 3
    /// The maximum number of bytes of a kept question.
    static let longestQuestion = 256
}

/// An answer to a device's request for a scene's latest archive.
package struct RememberedAnswer: Sendable {
    /// The requesting device and its app, compared by object identity: a change of the device or of its app's policy
    /// makes a new object.
    let caller: Caller
    /// The parts of the request that the answer depends on, such as the device's context.
    let question: [UInt8]
    /// The last time at which the policy's maximum age allows the head.
    let expiry: Timestamp
    let form: any AnswerForm
    /// The number of bytes that the form holds in addition to the head's bytes.
    package let size: Int
    /// The version of the user's identities that the answer was made from. Nil if the answer does not depend on
    /// identities.
    let identity: IdentityVersions.Stamp?
}

/// An answer in the form of the requesting device's protocol. The domain keeps the answer but does not read it.
package typealias AnswerForm = AnyObject & Sendable
