package import PlacekeeperCore

/// The part of a store for users, their devices and their accounts.
package protocol UserStore: Sendable {
    /// Returns a token's device and access, or nil if the token is unknown or revoked. The caller checks the expiration
    /// time.
    func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>?
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// Returns a device of an app, or nil if the device doesn't exist or was revoked.
    func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device?
    /// Returns an app's users after a position. The cost grows with `limit`, but not with the number of users.
    func users(
        of app: AppID, by order: UserOrder, after position: UserPosition?, limit: Int,
        matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser]
    /// Returns the users of an app who have one of the identifiers, in any order.
    func users(
        _ ids: [UserID], of app: AppID, by order: UserOrder, matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser]
    /// Writes when users' devices were last used. Ignores a device that doesn't belong to the user. The service
    /// collects these times and writes them once a minute.
    func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError)
    /// Returns the user whose subject has this keyed hash, or nil if there is none.
    func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID?
    /// Returns a user's subject, sealed for the user. Nil if the user is anonymous or doesn't exist.
    func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]?
    /// Deletes a user and everything stored for the user. Returns false if there is no such user.
    ///
    /// Devices, tokens and link codes are deleted first, so that no further requests are accepted. The user is deleted
    /// last. Other writes can run in between. A second call finishes an interrupted erasure. When this method returns,
    /// no file of the store contains the deleted data. Only data that a long read still needs disappears later, after
    /// this read.
    func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool>
    /// Erases users of an app that is being deleted, in fewer transactions than one by one, until the task is cancelled.
    /// The store's files may contain their data until `AppStore.remove` returns.
    func erase(_ owners: [UserKey]) async throws(StoreError) -> Committed<Void>
    func facts(of owner: UserKey) async throws(StoreError) -> UserFacts?
    /// Returns the users of all apps after `last`, sorted by app and user identifiers.
    func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts]
}

extension UserStore {
    package func erase(_ owners: [UserKey]) async throws(StoreError) -> Committed<Void> {
        var invalidations = Invalidations.none
        for owner in owners where !Task.isCancelled {
            invalidations = try await invalidations + erase(owner).invalidations
        }
        return Committed((), invalidations)
    }

    /// Returns an app's users after `last`, sorted by identifier.
    package func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview] {
        let position = last.map { UserPosition(key: 0, user: $0) }
        return try await users(of: app, by: .id, after: position, limit: limit, matching: UserConditions())
            .map(\.overview)
    }
}
