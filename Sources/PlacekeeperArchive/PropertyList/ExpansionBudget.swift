/// Limits the work of reading shared objects: a reader reads a shared object again at each reference to the object. The
/// budget is the file's length in bytes. Reading a file without shared objects never exceeds this budget.
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
