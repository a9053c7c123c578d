/// What reading may cost. A file whose objects are not shared costs no more than it is long; one whose objects are shared
/// may be expanded that far and no further.
struct WorkBudget {
    private var remaining: Int

    init(_ byteCount: Int) { remaining = byteCount }

    @inline(__always)
    mutating func spend(_ cost: Int, at offset: Int) throws(ArchiveError) {
        remaining -= cost
        guard remaining >= 0 else { throw ArchiveError(.expansion, at: offset) }
    }
}
