import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperCore

extension Hashing {
    /// Starts a digest that keeps all bytes in memory.
    package func running() -> any RunningHash { GatheredHash(self) }
}

/// A running digest that keeps all pieces in memory.
private final class GatheredHash: RunningHash {
    private let hashing: any Hashing
    private let bytes = LockBox<[UInt8]>([])

    init(_ hashing: any Hashing) { self.hashing = hashing }

    func update(_ bytes: UnsafeRawBufferPointer) { self.bytes.withLock { $0 += bytes } }
    func finish() -> Digest { hashing.sha256(bytes.withLock { $0 }) }
}
