public import Foundation
import KeyedArchive

/// A thin `NSCoder` on the coder of one object, so that code that was written for `NSCoder` saves and restores with its
/// own calls. Keys are those of `StateEncoder` and `StateDecoder`: the two ways mix.
///
/// It is used on the main actor, as the interface is; elsewhere it ends the process. Strings, numbers, dates, data, URLs,
/// UUIDs, index paths, and arrays, dictionaries and sets of these are written by the coder itself; restorable objects
/// by reference; objects that are `StateCopying` or `NSSecureCoding` by copy (seed row 28).
public final class RestorationCoder: NSCoder {
    let encoder: StateEncoder?
    let decoder: StateDecoder?
    private var failure: (any Error)?
    /// What `decodeBytes(forKey:returnedLength:)` points to.
    var returnedBytes: [NSData] = []

    /// Saves with the coder of an object.
    public init(_ encoder: StateEncoder) {
        self.encoder = encoder
        decoder = nil
        super.init()
    }

    /// Restores with the coder of an object.
    public init(_ decoder: StateDecoder) {
        encoder = nil
        self.decoder = decoder
        super.init()
    }

    /// Yes: by keys only.
    public override var allowsKeyedCoding: Bool { true }
    /// Yes: only classes that the app has listed are made.
    public override var requiresSecureCoding: Bool { true }

    /// A failure is kept, and never ends the process: the archive may be anyone's.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// What failed first.
    public override var error: (any Error)? { failure }
    /// Keeps what failed first: the object is then not restored.
    public override func failWithError(_ error: any Error) { failure = failure ?? error }

    func encode(_ value: (any StateConvertible)?, key: String) {
        let value = value?.stateValue ?? .null
        MainActor.assumeIsolated { [encoder] in encoder?.encode(value, forKey: key) }
    }

    func decode<Value: StateConvertible & Sendable>(_ type: Value.Type, _ key: String) -> Value? {
        MainActor.assumeIsolated { [decoder] in decoder?.decode(type, forKey: key) }
    }

    /// Whether something stands under a key; a nil that was saved does (row 32).
    public override func containsValue(forKey key: String) -> Bool {
        MainActor.assumeIsolated { [decoder] in decoder?.containsValue(forKey: key) ?? false }
    }

    public override func encode(_ value: Bool, forKey key: String) { encode(value, key: key) }
    public override func encode(_ value: Int32, forKey key: String) { encode(value, key: key) }
    public override func encode(_ value: Int64, forKey key: String) { encode(value, key: key) }
    public override func encode(_ value: Int, forKey key: String) { encode(value, key: key) }
    public override func encode(_ value: Float, forKey key: String) { encode(value, key: key) }
    public override func encode(_ value: Double, forKey key: String) { encode(value, key: key) }

    public override func decodeBool(forKey key: String) -> Bool { decode(Bool.self, key) ?? false }
    public override func decodeInteger(forKey key: String) -> Int { decode(Int.self, key) ?? 0 }
    public override func decodeInt32(forKey key: String) -> Int32 { decode(Int32.self, key) ?? 0 }
    public override func decodeInt64(forKey key: String) -> Int64 { decode(Int64.self, key) ?? 0 }
    public override func decodeFloat(forKey key: String) -> Float { decode(Float.self, key) ?? 0 }
    public override func decodeDouble(forKey key: String) -> Double { decode(Double.self, key) ?? 0 }

    /// Saves an object: one of Foundation's as a value, a restorable one by reference, any other by copy.
    public override func encode(_ object: Any?, forKey key: String) { encode(object: object, key: key) }

    /// Saves an object as `encode(_:forKey:)` does.
    public override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        encode(object: object, key: key)
    }

    /// Saves bytes.
    public override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        encode([UInt8](UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length)), key: key)
    }

    /// An object, as it was saved; nil when it is gone.
    public override func decodeObject(forKey key: String) -> Any? { decode(objectFor: key) }

    /// A property list.
    public override func decodePropertyList(forKey key: String) -> Any? { decode(objectFor: key) }

    #if canImport(Darwin)
        // Not built yet: by the headers of Apple's Foundation.

        /// Saves a whole number.
        public override func encodeCInt(_ value: Int32, forKey key: String) { encode(value, key: key) }

        // What the generic `decodeObject(of:forKey:)`, which cannot be overridden, calls.
        public override func __decodeObject(ofClasses classes: Set<AnyHashable>?, forKey key: String) -> Any? {
            decode(objectOf: classes?.compactMap { $0.base as? AnyClass }, key: key)
        }

        /// A whole number, rounded towards zero; 0 when there is none that fits.
        public override func decodeCInt(forKey key: String) -> Int32 { decode(Int32.self, key) ?? 0 }

        /// Bytes, which live as long as the coder; nil when there are none.
        public override func decodeBytes(
            forKey key: String, returnedLength length: UnsafeMutablePointer<Int>?
        ) -> UnsafePointer<UInt8>? {
            guard let bytes = decode([UInt8].self, key) else { return nil }
            let data = Data(bytes) as NSData
            returnedBytes.append(data)
            length?.pointee = data.length
            return data.bytes.assumingMemoryBound(to: UInt8.self)
        }
    #else
        /// An object of a class; nil when it is of another.
        public override func decodeObject<Object: NSObject & NSCoding>(
            of type: Object.Type, forKey key: String
        ) -> Object? { decode(objectOf: [type], key: key) as? Object }

        /// An object of one of several classes; nil when it is of another.
        public override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
            decode(objectOf: classes, key: key)
        }

        /// Gives bytes to a function; nil when there are none.
        public override func withDecodedUnsafeBufferPointer<Result>(
            forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
        ) rethrows -> Result {
            guard let bytes = decode([UInt8].self, key) else { return try body(nil) }
            return try bytes.withUnsafeBufferPointer { try body($0) }
        }
    #endif
}
