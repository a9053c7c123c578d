import PlacekeeperCompression
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperMatching
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSystem

// Adapters that implement the protocols of one module with another module or the system.

/// SHA-256 from libcrypto.
struct SystemHashing: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        let words = SHA256.words(of: bytes)
        return Digest(words.0, words.1, words.2, words.3)
    }

    func running() -> any RunningHash { SystemRunningHash() }
}

/// A running SHA-256 from libcrypto, for bytes that arrive in pieces.
private final class SystemRunningHash: RunningHash {
    private let hash = SHA256.Running()

    func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    func finish() -> Digest {
        let words = hash.finish()
        return Digest(words.0, words.1, words.2, words.3)
    }
}

/// Random numbers from libcrypto.
struct SystemRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { Random.bytes(count) }
}

/// Creates lookup keys: the first word of the HMAC-SHA-256 of each text (`LookupText`). Each user has a separate key,
/// which is derived from the store's secret.
struct UserLookup: LookupHashing {
    /// The store's lookup secret, 32 bytes.
    let secret: [UInt8]

    func keys(of texts: [LookupText], for owner: UserKey) -> [LookupKey] {
        guard !texts.isEmpty else { return [] }
        let name = "\(owner.app)/\(owner.user)"
        let hash = HMAC.Keyed(key: HMAC.sha256(Array(name.utf8), key: secret))
        return texts.map { text in
            LookupKey(rawValue: Int64(bitPattern: text.withBytes { hash.firstWord(of: $0) }))
        }
    }
}

/// Creates the hashes of users and subjects in the erasure log: HMAC-SHA-256 with keys that are derived from the
/// store's secret. A backup of the store has the same secret.
struct KeyedAccounts: AccountHashing {
    private let userKey: [UInt8]
    private let subjectKey: [UInt8]

    /// - Parameter secret: the store's lookup secret, 32 bytes.
    init(secret: [UInt8]) {
        userKey = HMAC.sha256(Array("placekeeper erased user".utf8), key: secret)
        subjectKey = HMAC.sha256(Array("placekeeper subject".utf8), key: secret)
    }

    func digest(of subject: Subject, in app: AppID) -> Digest { hash(app.bytes + subject.bytes, subjectKey) }

    func digest(of owner: UserKey) -> Digest { hash(owner.app.bytes + owner.user.bytes, userKey) }

    private func hash(_ message: [UInt8], _ key: [UInt8]) -> Digest {
        guard let digest = Digest(bytes: HMAC.sha256(message, key: key)) else {
            // HMAC-SHA-256 always returns 32 bytes.
            preconditionFailure("an HMAC-SHA-256 does not have 32 bytes")
        }
        return digest
    }
}

extension ID {
    /// The 16 bytes of the identifier, most significant first.
    fileprivate var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}

/// Hashes passwords with scrypt.
struct ScryptPasswords: PasswordHashing {
    func key(of password: [UInt8], salt: [UInt8]) -> [UInt8]? {
        Scrypt.key(of: password, salt: salt, cost: .password, count: 32)
    }

    func code(of message: [UInt8], key: [UInt8]) -> [UInt8]? { HMAC.sha1(message, key: key) }
}

/// Compresses stored blobs with zlib at its fastest level.
struct DeflatedBlobs: BlobCompression {
    private let compressor = Compressor(.zlib, level: 1)

    /// Returns nil if compression saves less than an eighth, because every read of a compressed blob has to inflate it.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard !Randomness.isLikely(in: bytes) else { return nil }
        return compressor.deflate(bytes, limit: bytes.count - bytes.count / 8)
    }

    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        try compressor.inflate(bytes, count: count)
    }
}

/// The content coding `gzip`.
struct GzippedBodies: GzipCoding {
    private let compressor = Compressor(.gzip, level: 1)

    func deflate(_ bytes: [UInt8]) -> [UInt8]? { compressor.deflate(bytes) }

    func inflate(_ bytes: [UInt8], count: Int) throws(GzipError) -> [UInt8] {
        do throws(CompressionError) {
            return try compressor.inflate(bytes, count: count)
        } catch {
            throw GzipError(error)
        }
    }

    func inflating(_ bytes: [UInt8], limit: Int) throws(GzipError) -> any GzipPieces {
        do throws(CompressionError) {
            return Pieces(try compressor.inflating(bytes, limit: limit))
        } catch {
            throw GzipError(error)
        }
    }

    private final class Pieces: GzipPieces {
        private let pieces: InflatedPieces
        init(_ pieces: InflatedPieces) { self.pieces = pieces }

        func next() throws(GzipError) -> [UInt8] {
            do throws(CompressionError) { return try pieces.next() } catch { throw GzipError(error) }
        }
    }
}

extension GzipError {
    fileprivate init(_ error: CompressionError) {
        self = [.tooLarge, .ratioExceeded].contains(error.code) ? .tooLarge : .malformed
    }
}

/// The machine's clocks.
struct SystemClock: Clock {
    func now() -> Timestamp {
        let time = Self.read(CLOCK_REALTIME)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time since the system started, including time asleep.
    func uptime() -> Duration {
        let time = Self.read(Platform.clockSinceBoot)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
