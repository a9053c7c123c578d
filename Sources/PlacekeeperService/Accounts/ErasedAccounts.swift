import PlacekeeperCore

/// The erased users and subjects that an erasure log lists.
struct ErasedAccounts {
    /// The time of the last erasure of each digest.
    private var times: [Digest: Timestamp] = [:]

    init(_ entries: [ErasureEntry]) {
        times.reserveCapacity(entries.count)
        for entry in entries { times[entry.digest] = max(times[entry.digest] ?? entry.time, entry.time) }
    }

    var isEmpty: Bool { times.isEmpty }

    /// Returns whether the user was erased. A person whose user was erased may sign in again with the same subject and
    /// get a new user. An operator may import an erased user from an export. So an entry concerns only a user that was
    /// created before the erasure.
    func contains(_ user: UserFacts, hashing: any AccountHashing) -> Bool {
        ([hashing.digest(of: user.owner)] + (user.subjectDigest.map { [$0] } ?? []))
            .contains { digest in times[digest].map { user.createdAt < $0 } ?? false }
    }
}
