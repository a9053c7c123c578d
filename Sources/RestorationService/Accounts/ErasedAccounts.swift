/// The erased users and subjects that an erasure log lists.
struct ErasedAccounts {
    /// The time of the last erasure of each digest.
    private var times: [Digest: Timestamp] = [:]

    init(_ entries: [ErasureEntry]) {
        times.reserveCapacity(entries.count)
        for entry in entries { times[entry.digest] = max(times[entry.digest] ?? entry.time, entry.time) }
    }

    var isEmpty: Bool { times.isEmpty }

    /// Returns whether the user was erased. A user's id is never assigned twice, so an entry of the id is enough. A
    /// person whose user was erased may sign in again with the same subject and get a new user. So an entry of a subject
    /// concerns only users that were created before the erasure.
    func contains(_ account: Account, hashing: any AccountHashing) -> Bool {
        if times[hashing.digest(of: account.owner)] != nil { return true }
        guard let subject = account.subjectDigest, let time = times[subject] else { return false }
        return account.createdAt < time
    }
}
