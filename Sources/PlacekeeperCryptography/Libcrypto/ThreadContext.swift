import CPlacekeeperCrypto
import PlacekeeperSystem

/// A context of libcrypto for each thread. A thread creates its context once, and frees the context when the thread
/// ends.
struct ThreadContext: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> OpaquePointer?

    static let digest = ThreadContext(make: { EVP_MD_CTX_new() }) { EVP_MD_CTX_free(OpaquePointer($0)) }
    static let cipher = ThreadContext(make: { EVP_CIPHER_CTX_new() }) { EVP_CIPHER_CTX_free(OpaquePointer($0)) }

    private init(
        make: @escaping @Sendable () -> OpaquePointer?,
        free: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        var key = pthread_key_t()
        // The process creates two keys, and POSIX allows at least 128.
        precondition(pthread_key_create(&key, free) == 0, "no thread-specific key is left")
        self.key = key
        self.make = make
    }

    /// The context of the calling thread.
    var pointer: OpaquePointer {
        if let kept = pthread_getspecific(key) { return OpaquePointer(kept) }
        // Fails only without memory.
        guard let made = make() else { preconditionFailure("no memory for a libcrypto context") }
        pthread_setspecific(key, UnsafeRawPointer(made))
        return made
    }
}
