import CPlacekeeperCrypto

extension Scrypt {
    /// Derives a key at an allowed cost. Nil if there isn't enough memory.
    ///
    /// - Parameter table: the size of the large table in bytes.
    static func derive(_ password: [UInt8], salt: [UInt8], cost: Cost, table: UInt64, count: Int) -> [UInt8]? {
        var isDone = false
        let key = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            isDone = password.withUnsafeBytes { password in
                EVP_PBE_scrypt(
                    // Without a password, libcrypto only checks its limits, so the pointer must not be nil.
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                    // libcrypto's own limit is 32 MiB. The additional mebibytes are for the blocks beside the table.
                    cost.n, cost.r, cost.p, table + (1 << 20) * cost.p, buffer.baseAddress, count) == 1
            }
            initialized = isDone ? count : 0
        }
        return isDone ? key : nil
    }
}
