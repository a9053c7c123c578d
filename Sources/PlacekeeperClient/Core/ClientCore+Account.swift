import PlacekeeperModels

// The device's account: reading, registering and changing it.
extension ClientCore {
    var credentials: Credentials? {
        if case .present(let credentials) = account { credentials } else { nil }
    }

    var registration: Credentials.Registration? { credentials?.registration }

    /// The folder of the device's scenes. An unregistered device uses a separate folder.
    var deviceFolder: String { folder(of: registration?.device ?? credentials?.formerDevice) }

    func folder(of device: String?) -> String { "devices/" + (device.map { "d." + $0 } ?? "new") }

    /// Reads the account, unless it was already read. A locked store is read again later. Until then, the client
    /// neither registers nor discards anything.
    func readAccount() {
        if settings.isExtension { readAgain() }
        switch account {
        case .none, .present: return
        case .unread, .locked: break
        }
        do throws(FileError) {
            if var credentials = try storedCredentials() {
                // The device id is part of a path, so it must be a UUID.
                if let device = credentials.registration?.device, !Self.isUUID(device) {
                    credentials.registration = nil
                }
                if let device = credentials.formerDevice, !Self.isUUID(device) { credentials.formerDevice = nil }
                account = .present(credentials)
                try adopt()
                try limitDiscarding()
            } else {
                account = .none
            }
            if registration == nil, !settings.isExtension { try countKept() }
            try removeTemporaryFiles()
            try loadScenes()
            try readMode()
            let hasMark = try files.read(ClientFolder.mark, limit: 4096) != nil
            isMoved = hasMark || settings.isInFormerFolder
        } catch {
            account = .locked
            if error != .locked { note(error) }
        }
    }

    /// Removes files that processes of this app began to write before they ended.
    private func removeTemporaryFiles() throws(FileError) {
        let scenes = try files.names(in: deviceFolder + "/scenes").map { "\(deviceFolder)/scenes/\($0)" }
        for folder in ["", deviceFolder, deviceFolder + "/lists"] + scenes {
            try files.removeTemporaryFiles(in: folder)
        }
    }

    /// Returns the stored account. A damaged account is lost: the status reports this, and pending states are kept for
    /// their user. A signed-in user must then sign in again, and an anonymous device registers again.
    private func storedCredentials() throws(FileError) -> Credentials? {
        do throws(FileError) {
            return try credentialStore.read()
        } catch {
            guard error == .damaged, !settings.isExtension else { throw error }
            hasLostAccount = true
            problem = PlacekeeperError(
                .fileDamaged, "The account file was damaged, so the account is lost on this device.")
            guard let device = try signedInDevice() else { return nil }
            var credentials = Credentials(installation: newInstallation(), owner: newUUID())
            credentials.needsSignIn = true
            credentials.formerDevice = device
            try credentialStore.write(credentials)
            return credentials
        }
    }

    /// Returns the id of the signed-in user's device, from the `owner` files. `nil` for an anonymous user.
    private func signedInDevice() throws(FileError) -> String? {
        for name in try files.names(in: "devices") where name.hasPrefix("d.") && Self.isUUID(String(name.dropFirst(2)))
        {
            let isLeft = try files.read("devices/\(name)/left", limit: 4096) != nil
            if !isLeft, try owner(of: "devices/" + name)?.isSignedIn == true { return String(name.dropFirst(2)) }
        }
        return nil
    }

    /// Drops the cached account if another process has changed it, so an extension never saves or sends under an
    /// account that the user left. Only the app changes the account.
    func readAgain() {
        let stored: Credentials?
        do throws(FileError) { stored = try storedCredentials() } catch {
            // Only the app repairs a damaged account.
            if error != .damaged { account = .locked }
            return
        }
        if case .present(let known) = account, known == stored { return }
        account = .unread
        scenes = [:]
        forgetLists()
        if let knownOwner, knownOwner != stored?.owner { noteOtherOwner(failing: Self.accountChanged) }
        knownOwner = .some(stored?.owner)
    }

    /// Stores a changed account and starts using it.
    func store(_ credentials: Credentials) throws(FileError) {
        try credentialStore.write(credentials)
        account = .present(credentials)
    }

    /// Moves captures of this device's user into the device's folder: captures from before the registration, and
    /// captures kept since the user signed out.
    func adopt() throws(FileError) {
        guard let registration, !settings.isExtension else { return }
        let current = deviceFolder
        try files.remove(current + "/left")
        try setOwner(of: current, to: registration)
        keptCount = 0
        for name in try files.names(in: "devices") {
            let folder = "devices/" + name
            guard folder != current else { continue }
            let isOurs = try name == "new" ? true : self.owner(of: folder)?.user == registration.user
            guard isOurs else {
                keptCount += try captureCount(in: folder)
                continue
            }
            try moveStates(from: folder, to: current)
            // An extension may have added a file in the meantime.
            if try captureCount(in: folder) == 0 { try files.remove(folder) }
        }
    }

    /// Moves the scenes' files to another folder, whose own last states are newer.
    func moveStates(from folder: String, to current: String) throws(FileError) {
        for scene in try files.names(in: folder + "/scenes") {
            let known = Set(try files.names(in: "\(current)/scenes/\(scene)"))
            for file in try files.names(in: "\(folder)/scenes/\(scene)") {
                if FileName(file) == nil, known.contains(file) { continue }
                _ = try files.rename("\(folder)/scenes/\(scene)/\(file)", to: "\(current)/scenes/\(scene)/\(file)")
            }
        }
    }

    /// The seconds for which another user's states are kept.
    private static let keptTime = 30.0 * 86_400

    /// Removes states that were kept for 30 days for users who have not signed in again, and reports this in the
    /// status.
    func purgeKept(at now: ClockReading) {
        guard !hasPurged, !isLocked else { return }
        hasPurged = true
        do throws(FileError) {
            var removed = 0
            for name in try files.names(in: "devices") where name != "new" && "devices/" + name != deviceFolder {
                let (folder, left) = ("devices/" + name, "devices/\(name)/left")
                guard let bytes = try files.read(left, limit: 4096),
                    let since = try? ChecksummedFile.decode(ClockReading.self, bytes).header
                else {
                    try files.write(ChecksummedFile.encode(now, []), to: left)
                    continue
                }
                guard since.age(at: now) >= Self.keptTime else { continue }
                let count = try captureCount(in: folder)
                try files.remove(folder)
                (removed, keptCount) = (removed + count, max(0, keptCount - count))
            }
            expiredCount += removed
            if removed > 0 {
                problem = PlacekeeperError(
                    .keptStateExpired,
                    "The user did not sign in again for 30 days, so unsent states of this user were removed: \(removed)."
                )
            }
        } catch {
            note(error)
        }
    }

    private struct FolderOwner: Codable, Equatable {
        var user: String
        var isSignedIn: Bool?
    }

    /// Whether `user` differs from the user who must sign in again on `device`. The device is `nil` if nobody must.
    func isOther(_ user: String, than device: String?) throws(FileError) -> Bool {
        guard let device else { return false }
        return try owner(of: folder(of: device))?.user != user
    }

    private func owner(of folder: String) throws(FileError) -> FolderOwner? {
        guard let bytes = try files.read(folder + "/owner", limit: 4096) else { return nil }
        return try? ChecksummedFile.decode(FolderOwner.self, bytes).header
    }

    /// Records the user to whom a folder's captures belong.
    func setOwner(of folder: String, to registration: Credentials.Registration) throws(FileError) {
        let owner = FolderOwner(user: registration.user, isSignedIn: registration.isSignedIn)
        guard try self.owner(of: folder) != owner else { return }
        try files.write(ChecksummedFile.encode(owner, []), to: folder + "/owner")
    }

    /// Counts the captures kept for other users.
    func countKept() throws(FileError) {
        keptCount = 0
        for name in try files.names(in: "devices") where name != "new" && "devices/" + name != deviceFolder {
            keptCount += try captureCount(in: "devices/" + name)
        }
    }

    func captureCount(in folder: String) throws(FileError) -> Int {
        var count = 0
        for scene in try files.names(in: folder + "/scenes") {
            count += try files.names(in: "\(folder)/scenes/\(scene)").compactMap(FileName.init)
                .count { $0.state == .pending || $0.state == .sending }
        }
        return count
    }
}
