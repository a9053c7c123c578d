import PlacekeeperCore

/// Assigns numbers to client networks, so that the breaker can tell which reports come from the same network.
///
/// A number is part of a keyed hash, and the key exists only in this process's memory. Once the process ends, nobody
/// can derive an address from a number in the restore log. Other processes use other numbers for the same network.
struct NetworkNumbers: Sendable {
    private let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    private let hashing: any Hashing

    init(_ hashing: any Hashing) { self.hashing = hashing }

    /// Returns a network's number, which is at least 2, or 0 if the network is unknown.
    func number(of network: String?) -> UInt32 {
        guard let network else { return 0 }
        // Earlier log versions stored 0 or 1 in this field.
        return max(2, UInt32(truncatingIfNeeded: hashing.sha256(key + Array(network.utf8)).words.0))
    }
}
