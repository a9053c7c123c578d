import CPlacekeeperCrypto
import PlacekeeperSystem

/// A libcrypto context per thread. It is created once for each thread, and freed when the thread ends.
struct ThreadContext: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> OpaquePointer?

    static let digest = ThreadContext(make: { EVP_MD_CTX_new() }) { EVP_MD_CTX_free(OpaquePointer($0)) }

    private init(
        make: @escaping @Sendable () -> OpaquePointer?,
        free: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
        var key = pthread_key_t()
        // The process creates only one key, and POSIX allows at least 128.
        precondition(pthread_key_create(&key, free) == 0, "no thread-specific key is left")
        self.key = key
        self.make = make
    }

    /// The context of the calling thread.
    var pointer: OpaquePointer {
        if let kept = pthread_getspecific(key) { return OpaquePointer(kept) }
        // Fails only if memory runs out.
        guard let made = make() else { preconditionFailure("no memory for a libcrypto context") }
        pthread_setspecific(key, UnsafeRawPointer(made))
        return made
    }
}
