extension SubjectPublicKey {
    /// Returns the parts of the key in a `SubjectPublicKeyInfo`. Nil if the bytes are malformed, or if the key has
    /// another type.
    static func parts(ofDER der: [UInt8]) -> Parts? { DER.parts(ofSubjectPublicKey: der) }
}
