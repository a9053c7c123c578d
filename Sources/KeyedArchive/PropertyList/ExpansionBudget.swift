/// Limits the expansion of shared objects while a file is read. The budget is the file's length. Reading a file
/// without shared objects never exceeds this budget. If objects are shared, they may be expanded up to the file's
/// length.
struct ExpansionBudget {
    private var remaining: Int

    init(_ byteCount: Int) { remaining = byteCount }

    @inline(__always)
    mutating func spend(_ cost: Int, at offset: Int) throws(ArchiveError) {
        remaining -= cost
        guard remaining >= 0 else { throw ArchiveError(.expansion, at: offset) }
    }
}
