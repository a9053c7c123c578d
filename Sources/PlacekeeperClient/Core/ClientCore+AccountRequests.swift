import PlacekeeperModels

// Requests that register the device, or check or change its account.
extension ClientCore {
    /// Starts the next request that changes or checks the account. Returns whether other requests must wait.
    func startAccountWork(at now: ClockReading) -> Bool {
        if inFlight.values.contains(where: \.kind.isExclusive) { return true }
        if isMoved, registration != nil { return confirmAddress(at: now) }
        if credentials?.copyOf != nil, registration != nil, !settings.isExtension {
            return startRegistration(at: now)
        }
        if credentials?.unanswered != nil, registration != nil {
            if settings.isExtension {
                // Only the app, not this extension, can ask for the result.
                failWaiting(PlacekeeperError(.busy, "The app is changing the account. Try again later."), at: now)
                return true
            }
            if !backoff.allowsIntents(at: now) { failWaiting(busy(at: now), at: now) }
            guard inFlight.isEmpty, waiting.isEmpty ? backoff.allowsWork(at: now) : backoff.allowsIntents(at: now)
            else { return true }
            send(request("GET", "/v1/devices/self"), .check)
            return true
        }
        if let change = waiting.first(where: \.call.changesAccount) {
            guard !settings.isExtension else {
                let error = PlacekeeperError(
                    .processIsExtension, "Only the app can change the account, not an extension.")
                finish(change.callID, .failed(error))
                return false
            }
            if case .signOut = change.call, let deadline = change.deadline {
                guard !hasPendingCaptures else {
                    guard now.uptime < deadline else {
                        finish(
                            change.callID,
                            .failed(
                                PlacekeeperError(
                                    .unsentStates,
                                    "Saved states were not sent before the deadline, so the device is still signed in.")
                            ))
                        return false
                    }
                    if !change.hasBegun {
                        update(change.callID) { $0.hasBegun = true }
                        makeDue(at: now)
                    }
                    return false
                }
            }
            guard inFlight.isEmpty else { return true }
            guard backoff.allowsIntents(at: now) else {
                finish(change.callID, .failed(busy(at: now)))
                return false
            }
            // The user is changing the account, so the restores have succeeded.
            leaveInOrder(at: now)
            startChange(change)
            return true
        }
        return registration == nil && startRegistration(at: now)
    }

    /// Registers the device, unless a sign-in is required. Returns true: other requests must wait.
    private func startRegistration(at now: ClockReading) -> Bool {
        guard needsRegistration || registration != nil, inFlight.isEmpty else { return true }
        if !backoff.allowsIntents(at: now) { failWaiting(busy(at: now), at: now) }
        let isWaitedFor = waiting.contains { !$0.isInFlight }
        guard isWaitedFor ? backoff.allowsIntents(at: now) : backoff.allowsWork(at: now) else { return true }
        if let problem = registrationProblem {
            self.problem = problem
            for call in waiting where !call.call.isLaunch { finish(call.callID, .failed(problem)) }
            return true
        }
        startRegistration(nil)
        return true
    }

    /// The error of a call during the service's `Retry-After`.
    func busy(at now: ClockReading) -> PlacekeeperError {
        PlacekeeperError(
            .busy, "The service asked to try again later.",
            retryAfter: backoff.serviceRetryAt.map { .seconds(max(0, $0 - now.uptime)) })
    }

    private var needsRegistration: Bool { !waiting.isEmpty || hasPendingCaptures }

    var hasPendingCaptures: Bool { scenes.values.contains { !$0.folder.captures.isEmpty } }

    /// Why the client must not register an anonymous user. `nil` if it may.
    var registrationProblem: PlacekeeperError? {
        if let registrationRefusal { return registrationRefusal }
        if settings.isExtension {
            return PlacekeeperError(.notRegistered, "Only the app can register the device, not an extension.")
        }
        let credentials = credentials
        if credentials?.registration != nil { return nil }
        if credentials?.needsSignIn == true || !settings.registersAnonymously {
            return PlacekeeperError(.signInRequired, "The user must sign in.")
        }
        if credentials?.isSignedOut == true, !asksForLinkCode {
            return PlacekeeperError(
                .notRegistered, "The user signed out on this device. Sign in, or save a state with an interaction.")
        }
        return nil
    }

    /// Whether the user has requested a link code, for which the device registers even after a sign-out.
    private var asksForLinkCode: Bool {
        waiting.contains { if case .makeLinkCode = $0.call { true } else { false } }
    }

    /// Allows an anonymous user again, because somebody works in the app after a sign-out.
    func beginAfterSignOut() throws(FileError) {
        guard credentials?.isSignedOut == true, settings.registersAnonymously, !settings.isExtension else { return }
        try changeCredentials { $0.isSignedOut = false }
    }

    private func startChange(_ waiting: Waiting) {
        guard registration != nil else {
            switch waiting.call {
            case .signIn, .link: return startRegistration(waiting)
            case .signOut(let pending) where credentials?.needsSignIn == true:
                do throws(FileError) {
                    try leaveEndedRegistration(pending)
                    finish(waiting.callID, .done)
                } catch {
                    finish(waiting.callID, .failed(failure(of: error)))
                }
                return
            case .erase where credentials?.needsSignIn == true || credentials?.isSignedOut == true:
                let error = PlacekeeperError(.signInRequired, "Sign in again before you erase the user.")
                return finish(waiting.callID, .failed(error))
            case .erase:
                do throws(FileError) { try forgetEverything() } catch {
                    return finish(waiting.callID, .failed(failure(of: error)))
                }
                return finish(waiting.callID, .done)
            default:
                return finish(waiting.callID, .failed(PlacekeeperError(.notSignedIn, "The device is not signed in.")))
            }
        }
        let request: TransportRequest
        let change: Credentials.Change
        switch waiting.call {
        case .signIn(let token):
            countChangeOfUser()
            request = self.request("POST", "/v1/devices/self/sign-in", json: ["token": token])
            change = .init(.signIn)
        case .link(let code):
            countChangeOfUser()
            request = self.request("POST", "/v1/devices/self/link", json: ["code": code])
            change = .init(.link)
        case .signOut(let pending):
            request = self.request("POST", "/v1/devices/self/sign-out", json: ["next": "none"])
            change = .init(.signOut, discardsPending: pending == .discard)
        default:
            request = self.request("DELETE", "/v1/users/self")
            change = .init(.erase)
        }
        // The change is stored before it is sent. If the response is lost, nothing else is sent until the client knows
        // the current user.
        do throws(FileError) {
            try changeCredentials { $0.unanswered = change }
            send(request, .change(change), callID: waiting.callID)
        } catch {
            finish(waiting.callID, .failed(failure(of: error)))
        }
    }

    private func startRegistration(_ waiting: Waiting?) {
        do throws(FileError) {
            // The installation is stored before it is sent. If the response is lost, registering it again returns the
            // same device.
            if credentials == nil { try store(Credentials(installation: newInstallation())) }
            countLaunch()
            guard let installation = credentials?.installation else { return }
            var body = Wire.Registration(
                app: settings.key, idiom: settings.device.idiom.wireName, model: settings.model,
                name: settings.name, systemVersion: settings.device.systemVersion,
                installation: .init(installation))
            switch waiting?.call {
            case .signIn(let token): body.signInToken = token
            case .link(let code): body.linkCode = code
            default: body.copyOf = credentials?.copyOf.map(Wire.Registration.Installation.init)
            }
            send(request("POST", "/v1/devices", json: body), .register, callID: waiting?.callID)
        } catch {
            note(error)
            finish(waiting?.callID, .failed(failure(of: error)))
        }
    }

    func newInstallation() -> Credentials.Installation {
        let secret = (0..<32).map { _ in String(UInt8.random(in: 0...255, using: &random), radix: 16) }
        return Credentials.Installation(id: newUUID(), secret: secret.map { $0.count == 1 ? "0" + $0 : $0 }.joined())
    }

    /// Returns a new lowercase UUID, version 4.
    func newUUID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}

extension ClientCore.Call {
    var changesAccount: Bool {
        switch self {
        case .signIn, .signOut, .link, .erase: true
        default: false
        }
    }

    var isLaunch: Bool { if case .launch = self { true } else { false } }
    var isFlush: Bool { if case .flush = self { true } else { false } }
}

extension ClientCore.Operation.Kind {
    /// Whether no other request may be in flight at the same time.
    var isExclusive: Bool {
        switch self {
        case .register, .confirm, .check, .change: true
        default: false
        }
    }
}
