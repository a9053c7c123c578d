/// What is to be done in each second that the service runs.
struct Schedule {
    enum Chore: Sendable, Hashable, CaseIterable {
        /// See whether another process wrote.
        case noticeChanges
        /// Let every stream of events say something, so that proxies and clients see that it lives.
        case beat
        /// Write the times of use and the counts that are gathered in memory.
        case flush
        /// Drop what has outlived its time.
        case prune
    }

    private var second = 0

    /// The chores of the next second, in order.
    mutating func next() -> [Chore] {
        second += 1
        var chores: [Chore] = [.noticeChanges]
        if second % 15 == 0 { chores.append(.beat) }
        if second % 60 == 0 { chores.append(.flush) }
        // A minute after the start, then every hour: a service that is restarted every hour is pruned, too.
        if second % 3600 == 60 { chores.append(.prune) }
        return chores
    }
}
