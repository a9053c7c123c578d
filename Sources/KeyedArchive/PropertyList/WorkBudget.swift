/// Limits the work of reading. A file without shared objects costs no more than its length. A file with shared
/// objects may be expanded to its length.
struct WorkBudget {
    private var remaining: Int

    init(_ byteCount: Int) { remaining = byteCount }

    @inline(__always)
    mutating func spend(_ cost: Int, at offset: Int) throws(ArchiveError) {
        remaining -= cost
        guard remaining >= 0 else { throw ArchiveError(.expansion, at: offset) }
    }
}
