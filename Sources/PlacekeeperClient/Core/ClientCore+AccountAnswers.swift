// Answers about the account, and their consequences.
extension ClientCore {
    func receiveRegistration(_ answer: Answer, _ operation: Operation, at now: Moment) {
        switch answer {
        case .success(let response):
            guard let registered: Wire.Registered = decode(response), Self.isUUID(registered.device),
                let old = credentials
            else {
                return fail(operation, Self.unreadable, at: now)
            }
            do throws(FileError) {
                try changeCredentials {
                    $0.registration = .init(
                        device: registered.device, token: registered.token, user: registered.user,
                        isSignedIn: registered.isSignedIn)
                    ($0.isSignedOut, $0.needsSignIn, $0.formerDevice) = (false, false, nil)
                    $0.description = description
                    $0.generation = old.generation + 1
                }
                needsSignInToken = false
                try adopt()
                try relocateScenes()
                forgetToldItems()
                finish(operation.ticket, .done)
            } catch {
                note(error)
                finish(operation.ticket, .failed(failure(of: error)))
            }
        case .problem(let problem) where problem.code == ProblemCode.installationCloned.rawValue:
            // This device was restored from another device's backup.
            guard !hasRenewedInstallation else { return fail(operation, PlacekeeperError(problem), at: now) }
            hasRenewedInstallation = true
            do throws(FileError) { try store(Credentials(installation: newInstallation())) } catch { note(error) }
        case .problem(let problem):
            let error = PlacekeeperError(problem)
            if operation.ticket == nil, !problem.isTemporary { registrationRefusal = error }
            fail(operation, error, at: now, isTemporary: problem.isTemporary)
        case .failure(let error): fail(operation, error, at: now)
        }
    }

    func receiveCheck(_ answer: Answer, _ operation: Operation, at now: Moment) {
        guard let change = credentials?.unanswered else { return }
        do throws(FileError) {
            switch answer {
            case .success(let response):
                guard let device: Wire.Device = decode(response) else {
                    return fail(operation, Self.unreadable, at: now)
                }
                try use(device)
            case .problem(let problem) where problem.isUnauthorized:
                // The change that ends the device's token was carried out, and its answer was lost.
                switch change.kind {
                case .signOut, .erase: try leave(change, nil)
                case .signIn, .link: try endRegistration()
                }
            case .problem(let problem): fail(operation, PlacekeeperError(problem), at: now)
            case .failure(let error): fail(operation, error, at: now)
            }
        } catch {
            note(error)
        }
    }

    func receiveChange(_ change: Credentials.Change, _ answer: Answer, _ operation: Operation, at now: Moment) {
        do throws(FileError) {
            switch answer {
            case .success(let response):
                switch change.kind {
                case .signIn, .link:
                    guard let device: Wire.Device = decode(response) else {
                        return fail(operation, Self.unreadable, at: now)
                    }
                    try use(device)
                case .signOut:
                    let registered: Wire.Registered? = response.body.isEmpty ? nil : decode(response)
                    guard !change.registersAnew || registered.map({ Self.isUUID($0.device) }) == true else {
                        return fail(operation, Self.unreadable, at: now)
                    }
                    try leave(change, registered)
                case .erase: try leave(change, nil)
                }
                finish(operation.ticket, .done)
            case .problem(let problem):
                // The service carried nothing out.
                if !problem.isTemporary || problem.status == 503 || problem.status == 429 {
                    try changeCredentials { $0.unanswered = nil }
                }
                if problem.isUnauthorized, change.kind == .signOut {
                    // The service has ended the registration already, so the sign-out is done.
                    try leave(change, nil)
                    finish(operation.ticket, .done)
                    return
                }
                if problem.isUnauthorized { try endRegistration() }
                fail(operation, PlacekeeperError(problem), at: now, isTemporary: problem.isTemporary)
            case .failure(let error): fail(operation, error, at: now)
            }
        } catch {
            note(error)
            finish(operation.ticket, .failed(failure(of: error)))
        }
    }

    /// Uses the user that the service gives for this device. The captures that wait go along.
    private func use(_ device: Wire.Device) throws(FileError) {
        let isOtherUser = registration?.user != device.user
        try changeCredentials {
            $0.registration?.user = device.user
            $0.registration?.isSignedIn = device.isSignedIn
            $0.unanswered = nil
            if isOtherUser { $0.generation += 1 }
        }
        // The service removes the registered items of a device that moves to another user.
        if isOtherUser { forgetToldItems() }
        try adopt()
        try relocateScenes()
        placesAreStale = isFollowing
    }

    /// Leaves the user: the person signed out, or the user was erased.
    private func leave(_ change: Credentials.Change, _ registered: Wire.Registered?) throws(FileError) {
        let old = deviceFolder
        if change.kind == .erase || change.discardsPending { try files.remove(old) }
        let installation = change.kind == .erase || !change.registersAnew ? newInstallation() : nil
        try changeCredentials {
            if let installation { $0.installation = installation }
            $0.registration = registered.map {
                .init(device: $0.device, token: $0.token, user: $0.user, isSignedIn: $0.isSignedIn)
            }
            $0.isSignedOut = change.kind == .signOut && !change.registersAnew
            $0.description = nil
            $0.unanswered = nil
            $0.generation += 1
        }
        try forgetScenes()
    }

    /// Ends the registration because the service refuses the token. The captures that wait stay for their user.
    func endRegistration() throws(FileError) {
        guard let registration else { return }
        guard !settings.isExtension else {
            // The app finds out for itself, and registers again. Until then, the extension sends nothing.
            refused = credentials
            return
        }
        try changeCredentials {
            $0.registration = nil
            $0.unanswered = nil
            $0.needsSignIn = registration.isSignedIn
            // The states that are saved until the next sign-in belong to the same person.
            $0.formerDevice = registration.isSignedIn ? registration.device : nil
            $0.generation += 1
        }
        if registration.isSignedIn { needsSignInToken = true }
        problem = PlacekeeperError(.revoked, "The service ended the registration of this device.")
        try forgetScenes()
    }

    func forgetEverything() throws(FileError) {
        try files.remove(deviceFolder)
        try forgetScenes()
    }

    /// Begins with the scenes of another device's folder.
    private func forgetScenes() throws(FileError) {
        for (name, scene) in scenes where scene.offer != nil { offers.append((name, nil)) }
        scenes = [:]
        hasPurged = false
        forgetLists()
        try adopt()
        if registration == nil {
            keptCount = 0
            for name in try files.names(in: "devices") where name != "new" && "devices/" + name != deviceFolder {
                keptCount += try captureCount(in: "devices/" + name)
            }
        }
        try loadScenes()
        for scene in followedScenes { try open(scene) }
    }

    /// Leaves the person whose registration the service has ended.
    func leaveEndedRegistration(_ pending: Placekeeper.Pending) throws(FileError) {
        if pending == .discard { try files.remove(deviceFolder) }
        try changeCredentials {
            ($0.needsSignIn, $0.formerDevice) = (false, nil)
            $0.isSignedOut = !settings.registersAnonymously
            $0.installation = newInstallation()
            $0.generation += 1
        }
        needsSignInToken = false
        try forgetScenes()
    }

    func changeCredentials(_ change: (inout Credentials) -> Void) throws(FileError) {
        guard var credentials else { return }
        change(&credentials)
        try store(credentials)
    }

    func failure(of error: FileError) -> PlacekeeperError {
        error == .locked
            ? PlacekeeperError(.locked, "The device is locked.")
            : PlacekeeperError(.storageFailed, "A file of the client cannot be read or written: \(error).")
    }
}
