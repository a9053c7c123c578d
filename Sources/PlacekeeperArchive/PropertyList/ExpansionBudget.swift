/// Limits the work of reading shared objects, which are read again at every reference to them. The budget is the file's
/// length in bytes. A file without shared objects never exceeds it.
struct ExpansionBudget {
    private var remaining: Int
    private var meter = WorkMeter()

    init(_ byteCount: Int) { remaining = byteCount }

    @inline(__always)
    mutating func consume(_ cost: Int, at offset: Int) throws(ArchiveError) {
        meter.consume(cost)
        remaining -= cost
        guard remaining >= 0 else { throw ArchiveError(.expansion, at: offset) }
    }
}
