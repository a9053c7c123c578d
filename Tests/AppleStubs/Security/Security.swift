// swift-format-ignore-file

// The declarations of Security that PlacekeeperCryptography uses, as Apple's documentation gives them. Their bodies are empty.
// Linux has no Core Foundation for Swift, so its types are the classes to which they are bridged.
public import Foundation

public typealias CFData = NSData
public typealias CFDictionary = NSDictionary
public typealias CFString = NSString
public typealias CFError = NSError

public final class SecKey: @unchecked Sendable {}

public struct SecKeyAlgorithm: RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(rawValue: "")
}

public var kSecAttrKeyType: CFString { fatalError() }
public var kSecAttrKeyTypeRSA: CFString { fatalError() }
public var kSecAttrKeyClass: CFString { fatalError() }
public var kSecAttrKeyClassPublic: CFString { fatalError() }

public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { fatalError() }

public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool { fatalError() }
