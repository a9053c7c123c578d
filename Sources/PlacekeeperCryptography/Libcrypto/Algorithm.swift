import CPlacekeeperCrypto

/// An algorithm of libcrypto's default provider. It is fetched once and never freed.
///
/// `@unchecked Sendable`: a fetched algorithm is immutable, and several threads may use it at the same time
/// (crypto(7)).
struct Algorithm: @unchecked Sendable {
    let pointer: OpaquePointer

    static let sha256 = Algorithm("SHA2-256", EVP_MD_fetch(nil, "SHA2-256", nil))
    static let hmac = Algorithm("HMAC", EVP_MAC_fetch(nil, "HMAC", nil))

    private init(_ name: String, _ fetched: OpaquePointer?) {
        // The names are constants, and every build of libcrypto provides these algorithms.
        guard let fetched else { preconditionFailure("libcrypto does not provide \(name)") }
        pointer = fetched
    }
}
