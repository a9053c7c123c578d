import PlacekeeperCore

/// Numbers the client networks that send reports, so that the breaker knows which reports come from one network.
///
/// A number is a part of a hash with a key. The key is only in the memory of this process. So nobody can find the address
/// of a number in the restore log after the end of the process, and another process gives a network another number.
struct NetworkNumbers: Sendable {
    private let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    private let hashing: any Hashing

    init(_ hashing: any Hashing) { self.hashing = hashing }

    /// Returns the number of a network: at least 2. Returns 0 if the network is not known.
    func number(of network: String?) -> UInt32 {
        guard let network else { return 0 }
        // Earlier versions of the log have 0 and 1 in the place of the number.
        return max(2, UInt32(truncatingIfNeeded: hashing.sha256(key + Array(network.utf8)).words.0))
    }
}
