// swift-format-ignore-file

// The declarations of CryptoKit that PlacekeeperCryptography uses, as Apple's documentation gives them. Their bodies are empty.
public import Foundation

public struct SymmetricKey: Sendable {
    public init(data: some ContiguousBytes) { fatalError() }
}

public protocol HashFunction {}

public struct SHA256Digest: Sequence, Sendable {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public struct SHA256: HashFunction, Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { fatalError() }
}

public enum Insecure {
    public struct SHA1: HashFunction, Sendable {}
}

public struct HMAC<H: HashFunction>: Sendable {
    public struct MAC: Sequence, Sendable {
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
        public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    }
    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> MAC { fatalError() }
    public init(key: SymmetricKey) {}
    public mutating func update(data: some DataProtocol) {}
    public func finalize() -> MAC { fatalError() }
}

public enum P256 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public init(rawRepresentation: some ContiguousBytes) throws {}
            public func isValidSignature(_ signature: ECDSASignature, for data: some DataProtocol) -> Bool {
                fatalError()
            }
        }
        public struct ECDSASignature: Sendable {
            public init(rawRepresentation: some DataProtocol) throws {}
        }
    }
}
