import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// Caches responses to repeated requests for the latest archive of a scene: the full response and the 304. A cached
/// response is used only while the user's version is the one that was read before the response was made
/// (docs/decisions/0033-heads-are-remembered.md).
final class LatestCache: Sendable {
    final class Answer: Sendable {
        fileprivate let path: [UInt8]
        fileprivate let query: [UInt8]
        /// The requesting device and its app, compared by object identity: a change of the device or of its app's
        /// settings creates a new object, so the cached response isn't used anymore.
        fileprivate let principal: Principal
        fileprivate let version: Int64
        fileprivate let expiry: Timestamp
        fileprivate let entityTag: [UInt8]
        fileprivate let unchanged: Response
        /// Nil if no request has needed the full response yet, or if it is too large.
        fileprivate let whole: Response?
        fileprivate let bodySize: Int

        /// - Parameters:
        ///   - version: the user's version, read before the response was made.
        ///   - expiry: the last time at which the response may be used.
        init(
            to head: RequestHead, of principal: Principal, at version: Int64, until expiry: Timestamp,
            entityTag: String,
            unchanged: Response, whole: Response?
        ) {
            path = Array(head.bytes[head.path])
            query = Array(head.queryBytes)
            self.principal = principal
            self.version = version
            self.expiry = expiry
            self.entityTag = Array(entityTag.utf8)
            self.unchanged = unchanged
            let size = if case .bytes(let bytes)? = whole?.body { bytes.count } else { 0 }
            let isSmall = size <= LatestCache.largestBody
            self.whole = isSmall ? whole : nil
            bodySize = isSmall ? size : 0
        }
    }

    /// A part of the cache with its own lock, so threads seldom wait for each other.
    private final class Shard: Sendable {
        let answers: LockBox<GenerationalCache<Int, Answer>>
        init(capacity: Int) { answers = LockBox(GenerationalCache(capacity: capacity)) }
    }

    private let shards: [Shard]
    /// The maximum size in bytes of a cached body.
    static let largestBody = 64 * 1024
    /// The approximate size of a cached response in bytes, without its path, query and body.
    private static let answerWeight = 2048
    /// The maximum length in bytes of the path and query of a cached response, taken together.
    static let longestQuestion = 512

    /// - Parameter capacity: the size limit of the whole cache in bytes. Each shard may exceed its share by one entry.
    init(capacity: Int) {
        let count = 16
        shards = (0..<count).map { _ in Shard(capacity: max(1, capacity / count / 2)) }
    }

    /// Returns the cached response to a request. Nil if there is none that may be used.
    func answer(to head: RequestHead, of principal: Principal, at version: Int64, _ now: Timestamp) -> Response? {
        let key = key(of: head, principal)
        let found = shard(of: key).answers.withLock { $0.value(for: key) }
        guard let found, found.principal === principal, found.version == version, now <= found.expiry,
            head.has(found.path, at: head.path), head.has(found.query, at: head.query ?? 0..<0)
        else { return nil }
        return head.ifNoneMatchNames(found.entityTag) == true ? found.unchanged : found.whole
    }

    /// Whether the cache holds a response to a request, possibly outdated or incomplete.
    func hasAnswer(to head: RequestHead, of principal: Principal) -> Bool {
        let key = key(of: head, principal)
        return shard(of: key).answers.withLock { $0.value(for: key) }?.principal === principal
    }

    /// Stores the response to a request, unless the path and query are too long.
    func insert(_ answer: Answer, for head: RequestHead) {
        let questionSize = answer.path.count + answer.query.count
        guard questionSize <= Self.longestQuestion else { return }
        let key = key(of: head, answer.principal)
        shard(of: key).answers.withLock {
            $0.insert(answer, for: key, weight: Self.answerWeight + questionSize + answer.bodySize)
        }
    }

    /// Returns a hash of the device, path and query. Responses with the same hash replace each other.
    private func key(of head: RequestHead, _ principal: Principal) -> Int {
        var hasher = Hasher()
        hasher.combine(principal.device.id)
        head.bytes.withUnsafeBytes { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[head.path]))
            if let query = head.query { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[query])) }
        }
        return hasher.finalize()
    }

    private func shard(of key: Int) -> Shard { shards[key & (shards.count - 1)] }
}

extension RequestHead {
    /// Whether a range of the head has exactly these bytes. Compares eight bytes at a time, because `elementsEqual`
    /// takes a step per byte.
    fileprivate func has(_ expected: [UInt8], at range: Range<Int>) -> Bool {
        guard expected.count == range.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            expected.withUnsafeBytes { expected in
                var index = 0
                while index + 8 <= expected.count {
                    let word = bytes.loadUnaligned(fromByteOffset: range.lowerBound + index, as: UInt64.self)
                    guard word == expected.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
                    index += 8
                }
                return expected[index...].elementsEqual(bytes[range.lowerBound + index..<range.upperBound])
            }
        }
    }

    fileprivate var queryBytes: ArraySlice<UInt8> { query.map { bytes[$0] } ?? [] }
}
