// Compiled together with Sources/KeyedArchive by Tests/Fuzz/run.sh; libFuzzer calls it with bytes of its own making.

/// Whatever the bytes are, reading them ends, and what one reader takes the others agree on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchiveReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    if let list = try? BinaryPropertyList(validating: bytes) {
        touchEverything(in: list)
        if let value = try? PropertyListValue(reading: bytes) {
            guard let written = try? value.encoded(), let again = try? PropertyListValue(reading: written) else {
                fatalError("What was read cannot be written and read again")
            }
            // A number that is none differs from itself; its bytes do not.
            guard (try? again.encoded()) == written else { fatalError("Written values differ") }
        }
    } else if (try? KeyedArchiveReader(validating: bytes)) != nil {
        fatalError("A keyed archive that is no property list")
    }
    if let inspection = try? ArchiveInspection(reading: bytes) {
        precondition(inspection.description.utf8.count < 1 << 26, "An inspection out of proportion")
        precondition(
            ArchiveDifference(from: inspection, to: inspection).changes.isEmpty, "An archive differs from itself")
    }
    if let archive = try? StateArchive(reading: bytes) {
        guard (try? ArchiveSummary(reading: bytes)) != nil else { fatalError("An archive that has no summary") }
        guard let written = try? archive.encoded(), let again = try? StateArchive(reading: written) else {
            fatalError("What was read cannot be written and read again")
        }
        guard (try? again.encoded()) == written else { fatalError("Written archives differ") }
    }
    return 0
}

private func touchEverything(in list: BinaryPropertyList) {
    for object in list.objects {
        switch list[object] {
        case .string(let text): _ = list.string(text)
        case .array(let elements): for index in 0..<elements.count { _ = list[list.element(index, of: elements)] }
        case .dictionary(let entries): for index in 0..<entries.count { _ = list.entry(index, of: entries) }
        case .data(let range): precondition(range.upperBound <= list.bytes.count)
        default: break
        }
    }
}
