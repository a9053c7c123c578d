import PlacekeeperConcurrency
package import PlacekeeperCore

/// Limits a user's concurrent exports, because each export reads all of the user's data.
package final class ExportSlots: Sendable {
    /// A running export. The slot becomes free when the last reference to it is released.
    package final class Slot: Sendable {
        private let slots: ExportSlots
        private let owner: UserKey

        fileprivate init(_ slots: ExportSlots, _ owner: UserKey) {
            self.slots = slots
            self.owner = owner
        }

        deinit { slots.free(owner) }
    }

    /// Limits exports per user, because each one adds an audit log entry.
    private static let quota = Quota(burst: 10, interval: .seconds(600))
    private let starts = Throttle(ExportSlots.quota)
    private let taken = LockBox<[UserKey: Int]>([:])

    /// Takes a slot. Throws `throttled` if the user already has `Limits.exports` running exports or started too many
    /// recently.
    package func take(for owner: UserKey, at uptime: Duration) throws(ServiceError) -> Slot {
        let isTaken = taken.withLock { taken in
            guard taken[owner, default: 0] < Limits.exports else { return false }
            taken[owner, default: 0] += 1
            return true
        }
        guard isTaken else {
            throw ServiceError(
                .throttled, "This user has \(Limits.exports) running exports. Wait until one has ended.",
                retryAfter: .seconds(30))
        }
        let slot = Slot(self, owner)
        let verdict = starts.attempt(owner.user.low, at: uptime)
        guard verdict.isAllowed else {
            throw ServiceError(
                exceeding: Quota.Excess("exports", Self.quota, wait: verdict.wait),
                "Too many exports of this user. Try again later.")
        }
        return slot
    }

    private func free(_ owner: UserKey) {
        taken.withLock { taken in
            let count = taken[owner, default: 1] - 1
            taken[owner] = count > 0 ? count : nil
        }
    }
}
