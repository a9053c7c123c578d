import PlacekeeperSystem

/// scrypt (RFC 7914) over HMAC-SHA-256, for systems whose libraries don't provide it.
enum PortableScrypt {
    /// Returns a key of `count` bytes. Nil if there isn't enough memory. ``Scrypt`` must have accepted the cost.
    static func key(of password: [UInt8], salt: [UInt8], cost: Scrypt.Cost, count: Int) -> [UInt8]? {
        let keyed = HMAC.Keyed(key: password)
        let words = Int(32 * cost.r)
        var blocks = pbkdf2(keyed, salt, count: 4 * words * Int(cost.p))
        let size = 4 * words * (Int(cost.n) + 2)
        // Swift's own allocation would end the process if there isn't enough memory.
        var start: UnsafeMutableRawPointer?
        guard posix_memalign(&start, 64, size) == 0, let start else { return nil }
        defer {
            Platform.erase(UnsafeMutableRawBufferPointer(start: start, count: size))
            blocks.withUnsafeMutableBytes { Platform.erase($0) }
            free(start)
        }
        // The new memory is aligned to 64 bytes, and `size` is a multiple of 4.
        let table = start.bindMemory(to: UInt32.self, capacity: size / 4)
        blocks.withUnsafeMutableBytes { blocks in
            for start in stride(from: 0, to: blocks.count, by: 4 * words) {
                mix(UnsafeMutableRawBufferPointer(rebasing: blocks[start..<start + 4 * words]), table, cost)
            }
        }
        return pbkdf2(keyed, blocks, count: count)
    }

    /// PBKDF2 (RFC 8018 section 5.2) with one iteration.
    private static func pbkdf2(_ keyed: borrowing HMAC.Keyed, _ salt: [UInt8], count: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count + SHA256.count)
        var message = salt + [0, 0, 0, 0]
        var code = [UInt8](repeating: 0, count: SHA256.count)
        var index: UInt32 = 1
        while output.count < count {
            withUnsafeBytes(of: index.bigEndian) { message.replaceSubrange(salt.count..., with: $0) }
            code.withUnsafeMutableBytes { code in message.withUnsafeBytes { keyed.hash($0, into: code) } }
            output += code
            index &+= 1
        }
        return Array(output.prefix(count))
    }

    /// scryptROMix (RFC 7914 section 5). `table` has room for `n` blocks and two more.
    private static func mix(
        _ bytes: UnsafeMutableRawBufferPointer, _ table: UnsafeMutablePointer<UInt32>, _ cost: Scrypt.Cost
    ) {
        let (n, words) = (Int(cost.n), Int(32 * cost.r))
        let block = table + n * words
        let scratch = block + words
        for index in 0..<words {
            block[index] = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        for row in 0..<n {
            (table + row * words).update(from: block, count: words)
            mixBlock(block, scratch, words)
        }
        for _ in 0..<n {
            // `n` is a power of two, and at most 2³².
            let choice = UInt64(block[words - 15]) << 32 | UInt64(block[words - 16])
            let row = table + Int(choice & (cost.n - 1)) * words
            for index in 0..<words { block[index] ^= row[index] }
            mixBlock(block, scratch, words)
        }
        for index in 0..<words {
            bytes.storeBytes(of: block[index].littleEndian, toByteOffset: 4 * index, as: UInt32.self)
        }
    }

    /// scryptBlockMix (RFC 7914 section 4).
    private static func mixBlock(
        _ block: UnsafeMutablePointer<UInt32>, _ scratch: UnsafeMutablePointer<UInt32>, _ words: Int
    ) {
        // Each block is a multiple of 16 words, and is aligned to 64 bytes like the table it belongs to. Input can't
        // change this: the sizes depend only on the cost.
        var x = (block + (words - 16)).withMemoryRebound(to: SIMD16<UInt32>.self, capacity: 1) { $0.pointee }
        let count = words / 16
        for index in 0..<count {
            // Aligned to 64 bytes, as above.
            let part = (block + 16 * index).withMemoryRebound(to: SIMD16<UInt32>.self, capacity: 1) { $0.pointee }
            x = salsa(x ^ part)
            // The even blocks come first.
            let place = index & 1 == 0 ? index / 2 : (count + index) / 2
            // Aligned to 64 bytes, as above.
            (scratch + 16 * place).withMemoryRebound(to: SIMD16<UInt32>.self, capacity: 1) { $0.pointee = x }
        }
        block.update(from: scratch, count: words)
    }

    /// Salsa20/8 (RFC 7914 section 3).
    ///
    /// Works on words in memory, because subscripts of a vector are slow without optimization: in a debug build,
    /// deriving a key from a password takes about 3 seconds of CPU time this way, and about 40 seconds with a vector.
    private static func salsa(_ input: SIMD16<UInt32>) -> SIMD16<UInt32> {
        var result = input
        withUnsafeMutableBytes(of: &result) { bytes in
            // A vector of 16 words is stored as 16 words.
            guard let x = bytes.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
            @inline(__always) func quarter(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
                x[b] ^= rotate(x[a] &+ x[d], 7)
                x[c] ^= rotate(x[b] &+ x[a], 9)
                x[d] ^= rotate(x[c] &+ x[b], 13)
                x[a] ^= rotate(x[d] &+ x[c], 18)
            }
            for _ in 0..<4 {
                quarter(0, 4, 8, 12)
                quarter(5, 9, 13, 1)
                quarter(10, 14, 2, 6)
                quarter(15, 3, 7, 11)
                quarter(0, 1, 2, 3)
                quarter(5, 6, 7, 4)
                quarter(10, 11, 8, 9)
                quarter(15, 12, 13, 14)
            }
        }
        return result &+ input
    }

    @inline(__always) private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
