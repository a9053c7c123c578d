public import Foundation
import PlacekeeperArchive

/// An `NSCoder` that wraps one object's coder, for code written for `NSCoder`. It uses the same keys as the wrapped
/// `StateEncoder` or `StateDecoder`, so one object can use both interfaces.
///
/// Use it on the main actor only: a call from elsewhere crashes. It saves strings, numbers, dates, data, URLs, UUIDs,
/// index paths, index sets, and arrays, dictionaries and sets of these. Restorable objects are saved by reference;
/// objects that conform to `StateCopying` or `NSSecureCoding` are saved by copy (seed row 28).
public final class RestorationCoder: NSCoder {
    package let encoder: StateEncoder?
    package let decoder: StateDecoder?
    /// The framework whose objects are saved by reference, if they don't conform to `StateRestoring`.
    let framework: (any RestorationFramework.Type)?
    private var failure: (any Error)?
    /// The bytes behind the pointers that `decodeBytes(forKey:returnedLength:)` returned. Keeping them keeps the
    /// pointers valid.
    var returnedBytes: [NSData] = []

    /// Creates a coder that saves through the `StateEncoder` of an object.
    public convenience init(_ encoder: StateEncoder) { self.init(encoder, of: nil) }

    /// Creates a coder that saves references to the objects of a framework, too.
    package init(_ encoder: StateEncoder, of framework: (any RestorationFramework.Type)?) {
        self.encoder = encoder
        self.framework = framework
        decoder = nil
        super.init()
    }

    /// Creates a coder that restores through the `StateDecoder` of an object.
    public convenience init(_ decoder: StateDecoder) { self.init(decoder, of: nil) }

    /// Creates a coder that returns the objects of a framework instead of their stand-ins.
    package init(_ decoder: StateDecoder, of framework: (any RestorationFramework.Type)?) {
        encoder = nil
        self.decoder = decoder
        self.framework = framework
        super.init()
    }

    /// True: only keyed coding is supported.
    public override var allowsKeyedCoding: Bool { true }
    /// True: only objects of classes that are listed, or that the decoding call names, are created.
    public override var requiresSecureCoding: Bool { true }

    /// Failures are recorded and never crash the app, because an archive may come from an untrusted source.
    public override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    /// The first failure, or `nil`.
    public override var error: (any Error)? { failure }
    /// Records the first failure. The restoration log then reports that the object failed to restore its state.
    public override func failWithError(_ error: any Error) { failure = failure ?? error }

    func encode(_ value: (any StateConvertible)?, key: String) {
        let value = value?.stateValue ?? .null
        // Apps use a coder on the main actor only (see the class). An archive can't change the thread.
        MainActor.assumeIsolated { [encoder] in encoder?.encode(value, forKey: key) }
    }

    func decode<Value: StateConvertible & Sendable>(_ type: Value.Type, _ key: String) -> Value? {
        // On the main actor, as in `encode(_:key:)`.
        MainActor.assumeIsolated { [decoder] in decoder?.decode(type, forKey: key) }
    }

    /// Returns whether a value was saved under a key. A saved nil counts as a value (row 32).
    public override func containsValue(forKey key: String) -> Bool {
        // On the main actor, as in `encode(_:key:)`.
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

    /// Saves an object: a property list as a value, a restorable object by reference, any other supported object by
    /// copy.
    public override func encode(_ object: Any?, forKey key: String) { encode(object: object, key: key) }

    /// Saves an object as `encode(_:forKey:)` does.
    public override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        encode(object: object, key: key)
    }

    /// Saves bytes.
    public override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        encode([UInt8](UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : length)), key: key)
    }

    /// Returns an object. `nil` if none was saved, or if it does not exist anymore.
    public override func decodeObject(forKey key: String) -> Any? { decode(objectFor: key) }

    /// Returns an object, as `decodeObject(forKey:)` does.
    public override func decodePropertyList(forKey key: String) -> Any? { decode(objectFor: key) }

    #if canImport(Darwin)
        // Not compiled on an Apple system yet. The signatures follow the headers of Apple's Foundation.

        /// Saves an integer.
        public override func encodeCInt(_ value: Int32, forKey key: String) { encode(value, key: key) }

        // Called by the generic `decodeObject(of:forKey:)`, which cannot be overridden.
        public override func __decodeObject(ofClasses classes: Set<AnyHashable>?, forKey key: String) -> Any? {
            decode(objectOf: classes?.compactMap { $0.base as? AnyClass }, key: key)
        }

        /// Returns an integer, rounding toward zero. 0 if no number was saved, or if the number is out of range.
        public override func decodeCInt(forKey key: String) -> Int32 { decode(Int32.self, key) ?? 0 }

        /// Returns bytes that stay valid as long as the coder exists. `nil` if no bytes were saved.
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
        /// Returns an object of a class or one of its subclasses. `nil` if the object has another class, or contains an
        /// object of a class that is not allowed.
        public override func decodeObject<Object: NSObject & NSCoding>(
            of type: Object.Type, forKey key: String
        ) -> Object? { decode(objectOf: [type], key: key) as? Object }

        /// Returns an object of one of several classes or their subclasses. `nil` if the object has none of these
        /// classes, or contains an object of a class that is not allowed. If `classes` is nil, all classes are allowed.
        public override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
            decode(objectOf: classes, key: key)
        }

        /// Calls a closure with the saved bytes, or with nil if no bytes were saved.
        public override func withDecodedUnsafeBufferPointer<Result>(
            forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
        ) rethrows -> Result {
            guard let bytes = decode([UInt8].self, key) else { return try body(nil) }
            return try bytes.withUnsafeBufferPointer { try body($0) }
        }
    #endif
}
