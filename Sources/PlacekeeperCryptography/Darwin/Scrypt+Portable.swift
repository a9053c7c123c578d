extension Scrypt {
    /// Derives a key at an allowed cost. Nil if there isn't enough memory.
    static func derive(_ password: [UInt8], salt: [UInt8], cost: Cost, table: UInt64, count: Int) -> [UInt8]? {
        PortableScrypt.key(of: password, salt: salt, cost: cost, count: count)
    }
}
