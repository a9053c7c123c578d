extension Wire.Limits {
    /// An app's quotas. Nil means unlimited.
    package struct Quotas: Sendable, Hashable, Codable {
        package var userBytes: Int?
        /// The byte limit of a user without an account. `userBytes` applies too.
        package var anonymousBytes: Int?
        package var userArchives: Int?
        package var userDevices: Int
        package var userScenes: Int
        package var appBytes: Int?
        package var appUsers: Int?
        package var appDevices: Int?

        package init(
            userBytes: Int?, anonymousBytes: Int?, userArchives: Int?, userDevices: Int, userScenes: Int,
            appBytes: Int?, appUsers: Int?, appDevices: Int?
        ) {
            self.userBytes = userBytes
            self.anonymousBytes = anonymousBytes
            self.userArchives = userArchives
            self.userDevices = userDevices
            self.userScenes = userScenes
            self.appBytes = appBytes
            self.appUsers = appUsers
            self.appDevices = appDevices
        }
    }

    /// How much data a user stores.
    package struct Usage: Sendable, Hashable, Codable {
        package var bytes: Int
        package var archives: Int
        package var devices: Int

        package init(bytes: Int, archives: Int, devices: Int) {
            self.bytes = bytes
            self.archives = archives
            self.devices = devices
        }
    }
}
