/// A QR code (ISO/IEC 18004) of bytes: versions 1 to 10 with error correction level L, which is enough on a screen,
/// where nothing gets damaged.
struct QRCode {
    /// The number of modules per side.
    let size: Int
    /// Whether each module is dark, row by row.
    private var dark: [Bool]
    /// Whether each module belongs to a pattern or the format information, so it holds no data and isn't masked.
    private var isFixed: [Bool]

    /// For each version (table 9): the error correction codewords per block, the data codewords per short block, the
    /// number of short blocks, and the number of blocks with one more data codeword.
    private static let versions: [(correction: Int, data: Int, short: Int, long: Int)] = [
        (7, 19, 1, 0), (10, 34, 1, 0), (15, 55, 1, 0), (20, 80, 1, 0), (26, 108, 1, 0),
        (18, 68, 2, 0), (20, 78, 2, 0), (24, 97, 2, 0), (30, 116, 2, 0), (18, 68, 2, 2),
    ]

    /// Encodes bytes in the smallest possible version. Nil for more than 271 bytes.
    init?(_ bytes: [UInt8]) {
        let sizes = Self.versions.map { $0.data * $0.short + ($0.data + 1) * $0.long }
        // The header is a mode of 4 bits and a count of 8 bits, or of 16 bits in version 10. The terminator takes 4
        // bits.
        guard let index = sizes.indices.first(where: { bytes.count + ($0 < 9 ? 2 : 3) <= sizes[$0] }) else {
            return nil
        }
        let counts = index < 9 ? [bytes.count >> 4] : [bytes.count >> 12, bytes.count >> 8, bytes.count >> 4]
        let nibbles =
            [4] + (counts + [bytes.count]).map { UInt8($0 & 15) } + bytes.flatMap { [$0 >> 4, $0 & 15] } + [0]
        var data = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        while data.count < sizes[index] { data += [0xEC, 0x11] }
        let codewords = Self.interleaved(Array(data.prefix(sizes[index])), Self.versions[index])

        size = 21 + 4 * index
        dark = Array(repeating: false, count: size * size)
        isFixed = dark
        drawPatterns(version: index + 1)
        drawFormat(mask: 0)
        draw(codewords)
        let masked = (0..<8).map(masked(by:))
        let penalties = masked.map(\.penalty)
        let best = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
        dark = masked[best].dark
    }

    subscript(row: Int, column: Int) -> Bool { dark[row * size + column] }

    /// The code for a terminal, with a margin. Each character shows two modules, one above the other. Only light
    /// modules are drawn, so the terminal's background must be dark.
    var text: String {
        let margin = 4
        let range = -margin..<size + margin
        func isLight(_ row: Int, _ column: Int) -> Bool {
            !((0..<size).contains(row) && (0..<size).contains(column) && self[row, column])
        }
        return stride(from: -margin, to: size + margin, by: 2).map { row in
            range.map { column in
                switch (isLight(row, column), row + 1 < size + margin && isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }.joined(separator: "\n")
    }
}

// Codewords.
extension QRCode {
    /// Splits the data into blocks, adds each block's error correction codewords, and interleaves the blocks.
    private static func interleaved(
        _ data: [UInt8], _ version: (correction: Int, data: Int, short: Int, long: Int)
    ) -> [UInt8] {
        var rest = data[...]
        let blocks = (0..<version.short + version.long).map { number in
            let block = Array(rest.prefix(version.data + (number < version.short ? 0 : 1)))
            rest = rest.dropFirst(block.count)
            return block
        }
        func columns(_ blocks: [[UInt8]]) -> [UInt8] {
            (0..<(blocks.map(\.count).max() ?? 0)).flatMap { column in
                blocks.compactMap { column < $0.count ? $0[column] : nil }
            }
        }
        return columns(blocks) + columns(blocks.map { correction(of: $0, count: version.correction) })
    }

    /// Returns the remainder of a block divided by the generator polynomial.
    private static func correction(of block: [UInt8], count: Int) -> [UInt8] {
        var generator: [UInt8] = Array(repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], root) ^ (index + 1 < count ? generator[index + 1] : 0)
            }
            root = product(root, 2)
        }
        return block.reduce(into: Array(repeating: 0, count: count)) { remainder, byte in
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
    }

    /// The product in the field with 256 elements and the polynomial 0x11D.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(0) { product, bit in
            product << 1 ^ (product >> 7 * 0x1D) ^ (right >> bit & 1) * left
        }
    }
}

// Modules.
extension QRCode {
    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        dark[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    private mutating func drawPatterns(version: Int) {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawRings(row, column, radius: 4) }
        let ends = [6, size - 7]
        let centers = version == 1 ? [] : version < 7 ? ends : ends + [(size - 1) / 2]
        for row in centers {
            for column in centers
            where !(row < 8 && column < 8 || row == 6 && column == size - 7 || column == 6 && row == size - 7) {
                drawRings(row, column, radius: 2)
            }
        }
        guard version >= 7 else { return }
        let bits = version << 12 | Self.remainder(of: version, by: 0x1F25, bits: 12)
        for index in 0..<18 {
            fix(index / 3, size - 11 + index % 3, bits >> index & 1 == 1)
            fix(size - 11 + index % 3, index / 3, bits >> index & 1 == 1)
        }
    }

    /// Draws a finder pattern with its light border, or an alignment pattern.
    private mutating func drawRings(_ row: Int, _ column: Int, radius: Int) {
        for down in -radius...radius {
            for right in -radius...radius {
                let ring = max(abs(down), abs(right))
                fix(row + down, column + right, radius == 4 ? ring != 2 && ring != 4 : ring != 1)
            }
        }
    }

    private mutating func drawFormat(mask: Int) {
        let level = 1 << 3 | mask
        let bits = (level << 10 | Self.remainder(of: level, by: 0x537, bits: 10)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            fix(index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, 8, isDark)
            fix(8, index < 8 ? size - 1 - index : index < 9 ? 7 : 14 - index, isDark)
        }
        fix(size - 8, 8, true)
    }

    /// Returns the check bits of a Bose–Chaudhuri–Hocquenghem code.
    private static func remainder(of value: Int, by generator: Int, bits: Int) -> Int {
        (0..<bits).reduce(value) { rest, _ in rest << 1 ^ (rest >> (bits - 1)) * generator }
    }

    /// Draws the bits of the codewords in columns two modules wide, from right to left, alternately upward and
    /// downward.
    private mutating func draw(_ codewords: [UInt8]) {
        var bits = codewords.flatMap { byte -> [Bool] in (0..<8).reversed().map { byte >> $0 & 1 == 1 } }[...]
        var isUpward = true
        // Column 6 contains a timing pattern.
        for right in (0...size / 2).map({ size - 1 - 2 * $0 }).map({ $0 <= 6 ? $0 - 1 : $0 }) where right > 0 {
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    dark[row * size + column] = bits.popFirst() ?? false
                }
            }
            isUpward.toggle()
        }
    }

    private func masked(by mask: Int) -> QRCode {
        var code = self
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] {
                let (sum, product) = (row + column, row * column)
                let isFlipped =
                    switch mask {
                    case 0: sum % 2 == 0
                    case 1: row % 2 == 0
                    case 2: column % 3 == 0
                    case 3: sum % 3 == 0
                    case 4: (row / 2 + column / 3) % 2 == 0
                    case 5: product % 2 + product % 3 == 0
                    case 6: (product % 2 + product % 3) % 2 == 0
                    default: (sum % 2 + product % 3) % 2 == 0
                    }
                if isFlipped { code.dark[row * size + column].toggle() }
            }
        }
        code.drawFormat(mask: mask)
        return code
    }

    /// The penalty of a mask (section 7.8.3). A code is easier to read if it has fewer long runs, squares, and patterns
    /// that resemble a finder.
    private var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        var penalty = (rows + columns).reduce(0) { $0 + Self.penalty(of: $1) }
        for row in 1..<size {
            for column in 1..<size {
                let isDark = self[row, column]
                if self[row - 1, column] == isDark, self[row, column - 1] == isDark, self[row - 1, column - 1] == isDark
                {
                    penalty += 3
                }
            }
        }
        let percent = 100 * dark.count(where: \.self) / dark.count
        return penalty + abs(percent - 50) / 5 * 10
    }

    /// The penalty of a row or column. The margin counts as light modules.
    private static func penalty(of line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run >= 5 { penalty += run == 5 ? 3 : 1 }
        }
        let finder = [true, false, true, true, true, false, true]
        for start in 0...line.count - finder.count where line[start..<start + finder.count].elementsEqual(finder) {
            let (before, after) = (line[..<start].suffix(4), line[(start + finder.count)...].prefix(4))
            if !before.contains(true) || !after.contains(true) { penalty += 40 }
        }
        return penalty
    }
}
