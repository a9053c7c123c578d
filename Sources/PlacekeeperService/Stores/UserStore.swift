/// The part of a store for users, their devices and their accounts.
package protocol UserStore: Sendable {
    // Devices

    /// Adds a device with its token. `NewDevice.Joins` tells which user the device belongs to. A link code is used up.
    /// The device in the result has the actual owner.
    ///
    /// If the installation is known, no device is added. Instead, the installation's device gets the new token and the
    /// new idiom, model, name and system version, and then joins the user by the rules of `move` and `signIn`.
    func register(_ new: NewDevice) async throws(StoreError) -> Committed<Joining>
    /// Returns the device of a token and the token's access. Nil if the token is unknown or revoked. The caller checks
    /// the time of expiry.
    func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>?
    /// Replaces a device's token of the same access. The replaced token stays valid for `Credential.grace`, unless
    /// `NewToken.revokesPrevious` is true. Returns false if the user has no such device.
    func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool>
    /// Replaces a device's idiom, model, name and system version by those of `device`. Returns false if the user has no
    /// such device.
    func describe(_ device: Device) async throws(StoreError) -> Committed<Bool>
    func devices(of owner: UserKey) async throws(StoreError) -> [Device]
    /// Returns a device of an app. Nil if the app has no such device, or if it was revoked.
    func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device?
    /// Returns an app's users in the order of their identifiers, beginning after `last`.
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview]
    /// Makes a device's token invalid permanently, and also all link codes of its user, because the device may have
    /// made some of these codes. The device's archives stay. Returns false if the user has no such device.
    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Committed<Bool>
    /// Writes the times at which the devices of users were last used. Ignores a time of a device that does not belong
    /// to the user. The service gathers these times and writes them once a minute.
    func noteSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError)
    /// Stores a link code. Throws `userGone` if the code's user does not exist, or if its maker is no longer a device of
    /// the user: the device may have been revoked after the service accepted its request.
    func create(_ code: LinkCode) async throws(StoreError)
    /// Moves a device and its archives to the user of a link code. If the user has no other device, all archives of the
    /// user are moved. The archives get new revisions, which are greater than all revisions of both users. Each scene
    /// that receives archives is pruned by `retention`. An archive is dropped if it was captured before the new user
    /// forgot the scene of the same name. The device's registered items and the operator's decisions about these items
    /// are dropped, because the keys of items depend on the user. So the device must register its items again.
    ///
    /// The device of a user with an account is not moved. A device that already used the code is not moved again. The
    /// quotas of bytes and archives do not refuse a move, because the app's data does not grow.
    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining>

    // Accounts

    /// Signs the device of an anonymous user in. If the account has a user, moves the device and its archives to this
    /// user, as `move` does. If the account has no user yet and the device is the only device of its user, this user
    /// becomes the account's user. Otherwise, a new user is created for the account, and the device and its archives
    /// are moved. Does nothing if the device's user already has this account.
    func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining>
    /// Revokes a device of a user with an account. The user's archives stay. If there is a replacement, adds it as the
    /// device of a new anonymous user. The replacement gets the installation of the revoked device.
    func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut>
    /// Returns the user of the account with this keyed hash of the subject. Nil if the account has no user.
    func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID?
    /// Returns a user's subject, sealed for the user. Nil if the user is anonymous or does not exist.
    func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]?

    // Erasure

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
