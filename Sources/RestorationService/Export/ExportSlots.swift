import Concurrency

/// Limits the exports of one user that run at the same time, because each export reads all data of the user.
package final class ExportSlots: Sendable {
    /// A running export. The slot is free again when the last reference to this object is gone.
    package final class Slot: Sendable {
        private let slots: ExportSlots
        private let owner: UserKey

        fileprivate init(_ slots: ExportSlots, _ owner: UserKey) {
            self.slots = slots
            self.owner = owner
        }

        deinit { slots.free(owner) }
    }

    private let taken = LockBox<[UserKey: Int]>([:])

    /// Takes a slot. Throws `throttled` if the user has `Limits.exports` running exports.
    package func take(for owner: UserKey) throws(ServiceError) -> Slot {
        let isTaken = taken.withLock { taken in
            guard taken[owner, default: 0] < Limits.exports else { return false }
            taken[owner, default: 0] += 1
            return true
        }
        guard isTaken else {
            throw ServiceError(
                .throttled, "This user has \(Limits.exports) running exports: wait until one has ended.",
                retryAfter: .seconds(30))
        }
        return Slot(self, owner)
    }

    private func free(_ owner: UserKey) {
        taken.withLock { taken in
            let count = taken[owner, default: 1] - 1
            taken[owner] = count > 0 ? count : nil
        }
    }
}
