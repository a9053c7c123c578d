// Responses about the account, and what follows from them.
extension ClientCore {
    func receiveRegistration(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        switch answer {
        case .success(let response):
            guard let registered: Wire.Registered = decode(response), Self.isUUID(registered.device),
                let old = credentials
            else {
                return fail(operation, Self.unreadable, at: now)
            }
            do throws(FileError) {
                let isOther = try isOther(registered.user, than: old.formerDevice)
                let owner = isOther ? newUUID() : old.owner
                let registration = Credentials.Registration(
                    device: registered.device, token: registered.token, user: registered.user,
                    isSignedIn: registered.isSignedIn)
                // Pending states move to the new registration, even if it belongs to another user.
                if old.copyOf != nil, old.registration != nil { try setOwner(of: deviceFolder, to: registration) }
                try changeCredentials {
                    $0.registration = registration
                    ($0.isSignedOut, $0.needsSignIn, $0.formerDevice) = (false, false, nil)
                    $0.copyOf = nil
                    $0.description = description
                    ($0.generation, $0.owner) = (old.generation + 1, owner)
                }
                needsSignInToken = false
                if old.copyOf != nil { wasCopied = true }
                // The original device of a copy may have joined another user in the meantime.
                let isOfOtherUser = old.registration.map { $0.user != registered.user } ?? false
                if operation.callID != nil || isOfOtherUser { joins += 1 }
                if isOther {
                    try changeOwner()
                } else {
                    try adopt()
                    try relocateScenes()
                    forgetToldItems()
                }
                finish(operation.callID, .done)
            } catch {
                note(error)
                finish(operation.callID, .failed(failure(of: error)))
            }
        case .problem(let problem) where problem.code == ProblemCode.installationCloned.rawValue:
            // This device was restored from another device's backup.
            guard !hasRenewedInstallation else { return fail(operation, PlacekeeperError(problem), at: now) }
            hasRenewedInstallation = true
            let installation = newInstallation()
            do throws(FileError) { try changeCredentials { $0.installation = installation } } catch { note(error) }
        case .problem(let problem)
        where credentials?.copyOf != nil
            && (problem.isUnauthorized || problem.code == PlacekeeperError.Code.signInRequired.rawValue):
            // The service does not know the original device, or its sign-in has expired.
            do throws(FileError) { try endRegistration() } catch { note(error) }
        case .problem(let problem):
            let error = PlacekeeperError(problem)
            if operation.callID == nil, !problem.isTemporary { registrationRefusal = error }
            fail(operation, error, at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }

    func receiveCheck(_ answer: Answer, _ operation: Operation, at now: ClockReading) {
        guard let change = credentials?.unanswered else { return }
        do throws(FileError) {
            switch answer {
            case .success(let response):
                guard let device: Wire.Device = decode(response) else {
                    return fail(operation, Self.unreadable, at: now)
                }
                try use(device)
            case .problem(let problem) where problem.isUnauthorized:
                // The change that ended the device's token was carried out, but the response was lost. A sign-in may have
                // expired instead, so an account counts as erased only after the service says so.
                if change.kind == .signOut || change.kind == .erase && registration?.isSignedIn == false {
                    try leave(change)
                } else {
                    try endRegistration()
                }
            case .problem(let problem): fail(operation, PlacekeeperError(problem), at: now)
            case .failure(let error): fail(operation, error, at: now)
            }
        } catch {
            note(error)
        }
    }

    func receiveChange(_ change: Credentials.Change, _ answer: Answer, _ operation: Operation, at now: ClockReading) {
        do throws(FileError) {
            switch answer {
            case .success(let response):
                switch change.kind {
                case .signIn, .link:
                    guard let device: Wire.Device = decode(response) else {
                        return fail(operation, Self.unreadable, at: now)
                    }
                    try use(device)
                case .signOut, .erase:
                    // A captive portal responds with a page. The account has not changed.
                    guard response.status == 204 else { return fail(operation, Self.unreadable, at: now) }
                    try leave(change)
                }
                finish(operation.callID, .done)
            case .problem(let problem):
                // The service changed nothing.
                if !problem.isTemporary || problem.status == 503 || problem.status == 429 {
                    try changeCredentials { $0.unanswered = nil }
                }
                if problem.isUnauthorized, change.kind == .signOut {
                    // The service has already ended the registration, so the sign-out is done.
                    try leave(change)
                    finish(operation.callID, .done)
                    return
                }
                if problem.isUnauthorized { try endRegistration() }
                fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
            case .failure(let error): fail(operation, error, at: now)
            }
            try limitDiscarding()
        } catch {
            note(error)
            finish(operation.callID, .failed(failure(of: error)))
        }
    }

    /// Switches to the user that the service returned for this device. Pending captures move to that user.
    private func use(_ device: Wire.Device) throws(FileError) {
        let isOtherUser = registration?.user != device.user
        try changeCredentials {
            $0.registration?.user = device.user
            $0.registration?.isSignedIn = device.isSignedIn
            $0.unanswered = nil
            if isOtherUser { $0.generation += 1 }
        }
        if isOtherUser {
            joins += 1
            // When a device moves to another user, the service removes its registered items. The earlier user's other
            // devices stay with that user.
            forgetToldItems()
            for scene in scenes.keys { withdrawOffer(of: scene) }
        }
        try adopt()
        try relocateScenes()
        placesAreStale = isFollowing
    }

    /// Leaves the user, who signed out or was erased. The next user registers with a new installation.
    private func leave(_ change: Credentials.Change) throws(FileError) {
        if change.discards { try discardStates(through: change.lastDiscarded) }
        // An anonymous user who works on after an erasure becomes the next user.
        if change.kind == .erase, registration?.isSignedIn == false {
            try moveStates(from: deviceFolder, to: folder(of: nil))
        }
        if change.kind == .erase { try files.remove(deviceFolder) }
        try signOut()
        try changeOwner(isErased: change.kind == .erase)
    }

    /// After a request without an answer, the user may work on. If the client learns later that the service did sign
    /// the device out or erase the user, only states from before this call are discarded.
    func limitDiscarding() throws(FileError) {
        guard let change = credentials?.unanswered, change.discards, change.lastDiscarded == nil, !settings.isExtension
        else { return }
        let scenes = deviceFolder + "/scenes"
        var last: [String: Int64] = [:]
        for scene in try files.names(in: scenes) {
            last[scene] = try files.names(in: "\(scenes)/\(scene)").compactMap(FileName.init).map(\.sequence).max()
        }
        try changeCredentials { $0.unanswered?.lastDiscarded = last }
    }

    /// Removes everything of this device but the states that were saved after a scene's `last` sequence number. Removes
    /// these too without `last`.
    private func discardStates(through last: [String: Int64]?) throws(FileError) {
        guard let last else { return try files.remove(deviceFolder) }
        for name in try files.names(in: deviceFolder) where !["owner", "scenes"].contains(name) {
            try files.remove("\(deviceFolder)/\(name)")
        }
        let scenes = deviceFolder + "/scenes"
        for scene in try files.names(in: scenes) {
            for file in try files.names(in: "\(scenes)/\(scene)") {
                let isLater = FileName(file).map { $0.sequence > last[scene, default: 0] } ?? false
                if !isLater { try files.remove("\(scenes)/\(scene)/\(file)") }
            }
        }
    }

    /// Stores that this device has no user.
    private func signOut() throws(FileError) {
        let (installation, owner) = (newInstallation(), newUUID())
        var new = credentials ?? Credentials(installation: installation)
        (new.installation, new.owner, new.isSignedOut) = (installation, owner, true)
        (new.registration, new.description, new.unanswered, new.formerDevice) = (nil, nil, nil, nil)
        new.copyOf = nil
        new.needsSignIn = false
        new.generation += 1
        try store(new)
    }

    /// Ends the registration, because the service refused the token. Pending captures are kept for their user. A user
    /// with an account is asked to sign in again, and the app keeps its content in memory.
    func endRegistration() throws(FileError) {
        guard let registration else { return }
        guard !settings.isExtension else {
            // The app finds out for itself and registers again. Until then, the extension sends nothing.
            refused = credentials
            return
        }
        let owner = registration.isSignedIn ? credentials?.owner : newUUID()
        try changeCredentials {
            $0.registration = nil
            $0.unanswered = nil
            $0.copyOf = nil
            $0.needsSignIn = registration.isSignedIn
            // States saved until the next sign-in belong to the same user.
            $0.formerDevice = registration.isSignedIn ? registration.device : nil
            $0.generation += 1
            $0.owner = owner
        }
        let error = PlacekeeperError(.revoked, "The service ended this device's registration.")
        problem = error
        guard registration.isSignedIn else { return try changeOwner(failing: error) }
        needsSignInToken = true
        for scene in scenes.keys {
            scenes[scene]?.isSending = false
            withdrawOffer(of: scene)
        }
        try relocateScenes()
        forgetToldItems()
        hasPurged = false
    }

    /// Erases the user of an unregistered device. The service does not know this user.
    func forgetEverything() throws(FileError) {
        try files.remove(deviceFolder)
        try signOut()
        try changeOwner(isErased: true)
    }

    /// Leaves a user whose registration the service has ended.
    func leaveEndedRegistration(_ pending: Placekeeper.UnsentStates) throws(FileError) {
        if pending == .discard { try files.remove(deviceFolder) }
        try signOut()
        needsSignInToken = false
        try changeOwner()
    }

    func changeCredentials(_ change: (inout Credentials) -> Void) throws(FileError) {
        guard var credentials else { return }
        change(&credentials)
        try store(credentials)
    }

    func failure(of error: FileError) -> PlacekeeperError {
        error == .locked
            ? PlacekeeperError(.locked, "The device is locked.")
            : PlacekeeperError(.storageFailed, "The client cannot read or write a file: \(error).")
    }
}
