package import PlacekeeperCore

/// The part of a store for users, their devices and their accounts.
package protocol UserStore: Sendable {
    /// Returns the device of a token and the token's access. Nil if the token is unknown or revoked. The caller checks
    /// the time of expiry.
    func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>?
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// Returns a device of an app. Nil if the app has no such device, or if it was revoked.
    func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device?
    /// Returns an app's users in the order of their identifiers, beginning after `last`.
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview]
    /// Writes the times at which the devices of users were last used. Ignores a time of a device that does not belong
    /// to the user. The service gathers these times and writes them once a minute.
    func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError)
    /// Returns the user of the account with this keyed hash of the subject. Nil if the account has no user.
    func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID?
    /// Returns a user's subject, sealed for the user. Nil if the user is anonymous or does not exist.
    func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]?
    /// Deletes a user and everything that is stored for the user. Deletes the devices, their tokens and the link codes
    /// first, so that no further request is accepted for the user, and the user last. Other writes run in between. A
    /// second call finishes an erasure that was interrupted. When this method returns, the deleted data is in no file of
    /// the store, unless a long read still needs it. In this case the data leaves the files after this read. Returns
    /// false if there is no such user.
    func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool>
    func facts(of owner: UserKey) async throws(StoreError) -> UserFacts?
    /// Returns the users of all apps in the order of the apps' and the users' identifiers, beginning after `last`.
    func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts]
}
