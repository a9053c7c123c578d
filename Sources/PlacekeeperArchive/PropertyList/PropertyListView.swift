/// A file in memory, and where its parts are. All code that reads the file's objects uses this type.
///
/// Eight bytes can be loaded from any position up to the end of the offset table, because a 32-byte trailer follows it.
/// So reading a big-endian number of up to eight bytes takes one load and one shift.
struct PropertyListView {
    let base: UnsafeRawPointer
    var geometry: BinaryPropertyList.Geometry

    init(_ file: UnsafeRawBufferPointer, _ geometry: BinaryPropertyList.Geometry) {
        // `Geometry` rejects a file that is too short for a header and a trailer, so the file isn't empty.
        guard let base = file.baseAddress else { preconditionFailure("A file with a trailer is not empty") }
        self.base = base
        self.geometry = geometry
    }

    @inline(__always)
    func byte(at position: Int) -> UInt8 { base.load(fromByteOffset: position, as: UInt8.self) }

    @inline(__always)
    func word(at position: Int) -> UInt64 {
        UInt64(bigEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// Returns the unsigned big-endian number of `width` bytes at `position`. `width` is 1 to 8.
    @inline(__always)
    func number(at position: Int, width: Int) -> UInt64 { word(at: position) >> UInt64(64 - 8 * width) }

    /// Returns an object's offset as written in the file.
    @inline(__always)
    func statedOffset(of object: UInt32) -> UInt64 {
        number(at: geometry.tableOffset + Int(object) * geometry.offsetWidth, width: geometry.offsetWidth)
    }

    @inline(__always)
    func statedReference(at position: Int) -> UInt64 { number(at: position, width: geometry.referenceWidth) }

    // The functions below require validated objects.

    @inline(__always)
    func offset(of object: UInt32) -> Int { Int(truncatingIfNeeded: statedOffset(of: object)) }

    @inline(__always)
    func reference(at position: Int) -> UInt32 { UInt32(truncatingIfNeeded: statedReference(at: position)) }

    @inline(__always)
    func marker(of object: UInt32) -> UInt8 { byte(at: offset(of: object)) }

    /// Returns an object's count, and where its content starts: after the marker and the count.
    @inline(__always)
    func extent(at offset: Int) -> (start: Int, count: Int) {
        let low = Int(byte(at: offset) & 0xF)
        if low != 0xF { return (offset + 1, low) }
        let width = 1 << Int(byte(at: offset + 1) & 0xF)
        return (offset + 2 + width, Int(truncatingIfNeeded: number(at: offset + 2, width: width)))
    }
}

extension PropertyListView {
    /// Returns the elements of an array. `nil` for any other object.
    func array(_ object: UInt32) -> BinaryPropertyList.Elements? {
        let offset = offset(of: object)
        guard byte(at: offset) >> 4 == 0xA else { return nil }
        let (start, count) = extent(at: offset)
        return BinaryPropertyList.Elements(start: start, count: count)
    }

    /// Returns the entries of a dictionary. `nil` for any other object.
    func dictionary(_ object: UInt32) -> BinaryPropertyList.Entries? {
        let offset = offset(of: object)
        guard byte(at: offset) >> 4 == 0xD else { return nil }
        let (start, count) = extent(at: offset)
        return BinaryPropertyList.Entries(start: start, count: count)
    }

    @inline(__always)
    func element(_ index: Int, of elements: BinaryPropertyList.Elements) -> UInt32 {
        reference(at: elements.start + index * geometry.referenceWidth)
    }

    @inline(__always)
    func key(_ index: Int, of entries: BinaryPropertyList.Entries) -> UInt32 {
        reference(at: entries.start + index * geometry.referenceWidth)
    }

    @inline(__always)
    func value(_ index: Int, of entries: BinaryPropertyList.Entries) -> UInt32 {
        reference(at: entries.start + (entries.count + index) * geometry.referenceWidth)
    }

    /// Returns the value under an ASCII key of a dictionary. `nil` if the key is missing.
    func value(for key: StaticString, in entries: BinaryPropertyList.Entries) -> UInt32? {
        for index in 0..<entries.count where isString(self.key(index, of: entries), equalTo: key) {
            return value(index, of: entries)
        }
        return nil
    }

    /// Returns whether an object is a string equal to an ASCII text. The file may store it as ASCII or UTF-16.
    @inline(__always)
    func isString(_ object: UInt32, equalTo text: StaticString) -> Bool {
        let offset = offset(of: object)
        let kind = byte(at: offset) >> 4
        guard kind == 5 || kind == 6 else { return false }
        let (start, count) = extent(at: offset)
        guard count == text.utf8CodeUnitCount else { return false }
        let expected = UnsafeRawBufferPointer(start: text.utf8Start, count: count)
        if kind == 5 { return isEqual(at: start, to: expected) }
        return (0..<count).allSatisfy {
            byte(at: start + 2 * $0) == 0 && byte(at: start + 2 * $0 + 1) == expected[$0]
        }
    }

    /// Compares bytes, in whole words if possible. The last word may overlap the one before.
    @inline(__always)
    private func isEqual(at position: Int, to expected: UnsafeRawBufferPointer) -> Bool {
        let count = expected.count
        var index = 0
        while count - index >= 8 {
            guard isEqual(at: position, to: expected, index, as: UInt64.self) else { return false }
            index += 8
        }
        if index == count { return true }
        if count >= 8 { return isEqual(at: position, to: expected, count - 8, as: UInt64.self) }
        if count >= 4 {
            return isEqual(at: position, to: expected, 0, as: UInt32.self)
                && isEqual(at: position, to: expected, count - 4, as: UInt32.self)
        }
        return (0..<count).allSatisfy { byte(at: position + $0) == expected[$0] }
    }

    @inline(__always)
    private func isEqual<Word: FixedWidthInteger & BitwiseCopyable>(
        at position: Int, to expected: UnsafeRawBufferPointer, _ index: Int, as type: Word.Type
    ) -> Bool {
        base.loadUnaligned(fromByteOffset: position + index, as: type)
            == expected.loadUnaligned(fromByteOffset: index, as: type)
    }

    func text(_ text: BinaryPropertyList.Text) -> String {
        if !text.isUTF16 {
            return String(decoding: UnsafeRawBufferPointer(start: base + text.start, count: text.count), as: UTF8.self)
        }
        // For UTF-16, `String(decoding:as:)` takes a hundred times as long as this code.
        let length = (0..<text.count).reduce(0) { length, index in
            let unit = unit(index, of: text)
            // Each half of a surrogate pair counts for two of the pair's four bytes.
            return length + (unit < 0x80 ? 1 : unit < 0x800 || unit & 0xF800 == 0xD800 ? 2 : 3)
        }
        return String(unsafeUninitializedCapacity: length) { buffer in
            var (index, count) = (0, 0)
            func append(_ byte: UInt32) {
                buffer.initializeElement(at: count, to: UInt8(truncatingIfNeeded: byte))
                count += 1
            }
            while count < length {
                var scalar = UInt32(unit(index, of: text))
                index += 1
                if scalar < 0x80 {
                    append(scalar)
                    continue
                }
                if scalar < 0x800 {
                    append(0xC0 | scalar >> 6)
                } else {
                    if scalar & 0xF800 == 0xD800 {
                        // Validation accepts only complete surrogate pairs (RFC 2781, section 2.2).
                        scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + UInt32(unit(index, of: text)) & 0x3FF
                        index += 1
                        append(0xF0 | scalar >> 18)
                        append(0x80 | scalar >> 12 & 0x3F)
                    } else {
                        append(0xE0 | scalar >> 12)
                    }
                    append(0x80 | scalar >> 6 & 0x3F)
                }
                append(0x80 | scalar & 0x3F)
            }
            return count
        }
    }
}
