import PlacekeeperAPI
import StateRestoration

// The account of the device: reading, registering and changing it.
extension ClientCore {
    var credentials: Credentials? {
        if case .present(let credentials) = account { credentials } else { nil }
    }

    var registration: Credentials.Registration? { credentials?.registration }

    /// The folder of the device's scenes. A device that is not registered yet has a folder of its own.
    var deviceFolder: String { folder(of: registration?.device) }

    func folder(of device: String?) -> String { "devices/" + (device.map { "d." + $0 } ?? "new") }

    /// Reads the account if it was not read yet. A locked store is read again later; until then, the client neither
    /// registers nor discards anything.
    func readAccount() {
        switch account {
        case .none, .present: return
        case .unread, .locked: break
        }
        do throws(FileError) {
            if let credentials = try credentialStore.read() {
                account = .present(credentials)
                try adopt()
            } else {
                account = .none
            }
            try loadScenes()
            try readMode()
        } catch {
            account = .locked
            if error != .locked { note(error) }
        }
    }

    /// Stores and uses a changed account.
    func store(_ credentials: Credentials) throws(FileError) {
        try credentialStore.write(credentials)
        account = .present(credentials)
    }

    /// Moves the captures that belong to this device's user into the device's folder: captures from before the
    /// registration, and captures that were kept for this user when they signed out.
    func adopt() throws(FileError) {
        guard let registration else { return }
        let current = deviceFolder
        try files.write(
            SealedFile.encode(FolderOwner(user: registration.user), []), to: current + "/owner")
        keptCount = 0
        for name in try files.names(in: "devices") {
            let folder = "devices/" + name
            guard folder != current else { continue }
            let isOurs = try name == "new" ? true : owner(of: folder) == registration.user
            guard isOurs else {
                keptCount += try captureCount(in: folder)
                continue
            }
            for scene in try files.names(in: folder + "/scenes") {
                for file in try files.names(in: "\(folder)/scenes/\(scene)") {
                    let target = "\(current)/scenes/\(scene)/\(file)"
                    // The last state of a folder that is adopted is older than a state of this device.
                    if FileName(file) == nil, try files.read(target, limit: 2 << 20) != nil { continue }
                    _ = try files.rename("\(folder)/scenes/\(scene)/\(file)", to: target)
                }
            }
            try files.remove(folder)
        }
    }

    private struct FolderOwner: Codable {
        var user: String
    }

    private func owner(of folder: String) throws(FileError) -> String? {
        guard let bytes = try files.read(folder + "/owner", limit: 4096) else { return nil }
        return try? SealedFile.decode(FolderOwner.self, bytes).header.user
    }

    private func captureCount(in folder: String) throws(FileError) -> Int {
        var count = 0
        for scene in try files.names(in: folder + "/scenes") {
            count += try files.names(in: "\(folder)/scenes/\(scene)").compactMap(FileName.init)
                .count { $0.state == .pending || $0.state == .sending }
        }
        return count
    }

    // MARK: - Starting requests

    /// Starts the next request that changes or checks the account. Returns whether no other request may start.
    func startAccountWork(at now: Moment) -> Bool {
        if inFlight.values.contains(where: \.kind.isExclusive) { return true }
        if credentials?.unanswered != nil, registration != nil {
            guard inFlight.isEmpty, waiting.isEmpty ? backoff.allowsWork(at: now) : backoff.allowsIntents(at: now)
            else { return true }
            send(request("GET", "/v1/devices/self"), .check)
            return true
        }
        if let change = waiting.first(where: \.intent.changesAccount) {
            if case .signOut = change.intent, let deadline = change.deadline {
                guard !hasPendingCaptures else {
                    guard now.uptime < deadline else {
                        finish(
                            change.ticket,
                            .failed(PlacekeeperError(.pendingNotSent, "Saved state was not sent before the deadline.")))
                        return false
                    }
                    for scene in scenes.keys { scenes[scene]?.dueAt = now.uptime }
                    return false
                }
            }
            guard inFlight.isEmpty else { return true }
            guard backoff.allowsIntents(at: now) else {
                finish(change.ticket, .failed(busy(at: now)))
                return false
            }
            startChange(change)
            return true
        }
        if registration == nil {
            guard needsRegistration, inFlight.isEmpty else { return true }
            let isWaitedFor = waiting.contains { !$0.isInFlight }
            guard isWaitedFor ? backoff.allowsIntents(at: now) : backoff.allowsWork(at: now) else { return true }
            if let problem = registrationProblem {
                for intent in waiting where !intent.intent.isLaunch { finish(intent.ticket, .failed(problem)) }
                return true
            }
            startRegistration(nil)
            return true
        }
        return false
    }

    /// The error of an intent while the service asked the client to wait.
    func busy(at now: Moment) -> PlacekeeperError {
        PlacekeeperError(
            .busy, "The service asked to try again later.",
            retryAfter: backoff.serviceRetryAt.map { max(0, $0 - now.uptime) })
    }

    private var needsRegistration: Bool { !waiting.isEmpty || hasPendingCaptures }

    var hasPendingCaptures: Bool { scenes.values.contains { !$0.folder.captures.isEmpty } }

    /// The reason why the client does not register an anonymous user.
    var registrationProblem: PlacekeeperError? {
        if let registrationRefusal { return registrationRefusal }
        let credentials = credentials
        if credentials?.needsSignIn == true || !settings.registersAnonymously {
            return PlacekeeperError(.signInRequired, "The person must sign in.")
        }
        if credentials?.isSignedOut == true {
            return PlacekeeperError(.notRegistered, "The person signed out on this device.")
        }
        return nil
    }

    private func startChange(_ waiting: Waiting) {
        guard registration != nil else {
            switch waiting.intent {
            case .signIn, .link: return startRegistration(waiting)
            case .erase:
                do throws(FileError) { try forgetEverything() } catch {
                    return finish(waiting.ticket, .failed(failure(of: error)))
                }
                return finish(waiting.ticket, .done)
            default:
                return finish(waiting.ticket, .failed(PlacekeeperError(.notSignedIn, "The device is not signed in.")))
            }
        }
        let request: TransportRequest
        let change: Credentials.Change
        switch waiting.intent {
        case .signIn(let token):
            request = self.request("POST", "/v1/devices/self/sign-in", json: Wire.SignIn(token: token))
            change = .init(.signIn)
        case .link(let code):
            request = self.request("POST", "/v1/devices/self/link", json: Wire.Link(code: code))
            change = .init(.link)
        case .signOut(let pending):
            let next: Wire.SignOut.Next = settings.registersAnonymously ? .anonymous : .none
            request = self.request("POST", "/v1/devices/self/sign-out", json: Wire.SignOut(next: next))
            change = .init(
                .signOut, registersAnew: settings.registersAnonymously, discardsPending: pending == .discard)
        default:
            request = self.request("DELETE", "/v1/users/self")
            change = .init(.erase)
        }
        // The change is noted before it is sent: if its answer is lost, nothing is sent under a user that may be wrong.
        do throws(FileError) {
            try changeCredentials { $0.unanswered = change }
            send(request, .change(change), ticket: waiting.ticket)
        } catch {
            finish(waiting.ticket, .failed(failure(of: error)))
        }
    }

    private func startRegistration(_ waiting: Waiting?) {
        do throws(FileError) {
            // The installation is stored before it is sent: after a lost answer, the same pair gets the same device.
            if credentials == nil { try store(Credentials(installation: newInstallation())) }
            guard let installation = credentials?.installation else { return }
            var body = Wire.Registration(
                app: settings.key, idiom: Wire.Idiom(settings.device.idiom), model: settings.model,
                name: settings.name, systemVersion: settings.device.systemVersion,
                installation: .init(id: installation.id, secret: installation.secret))
            switch waiting?.intent {
            case .signIn(let token): body.signInToken = token
            case .link(let code): body.linkCode = code
            default: break
            }
            send(request("POST", "/v1/devices", json: body), .register, ticket: waiting?.ticket)
        } catch {
            note(error)
            finish(waiting?.ticket, .failed(failure(of: error)))
        }
    }

    private func newInstallation() -> Credentials.Installation {
        let secret = (0..<32).map { _ in String(UInt8.random(in: 0...255, using: &random), radix: 16) }
        return Credentials.Installation(id: newUUID(), secret: secret.map { $0.count == 1 ? "0" + $0 : $0 }.joined())
    }

    /// Returns a new UUID in lower case, version 4.
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

    // MARK: - Receiving answers

    func receiveRegistration(_ answer: Answer, _ operation: Operation, at now: Moment) {
        switch answer {
        case .success(let response):
            guard let registered: Wire.Registered = decode(response), let old = credentials else {
                return fail(operation, Self.unreadable, at: now)
            }
            do throws(FileError) {
                try changeCredentials {
                    $0.registration = .init(
                        device: registered.device, token: registered.token, user: registered.user,
                        isSignedIn: registered.isSignedIn)
                    ($0.isSignedOut, $0.needsSignIn) = (false, false)
                    $0.generation = old.generation + 1
                }
                needsSignInToken = false
                try adopt()
                try relocateScenes()
                finish(operation.ticket, .done)
            } catch {
                note(error)
                finish(operation.ticket, .failed(failure(of: error)))
            }
        case .problem(let problem) where problem.code == ProblemCode.installationCloned.rawValue:
            // This device was restored from another device's backup.
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
                guard let device: Wire.Device = decode(response) else { return fail(operation, Self.unreadable, at: now) }
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
                    guard !change.registersAnew || registered != nil else {
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
        try changeCredentials {
            let isOtherUser = $0.registration?.user != device.user
            $0.registration?.user = device.user
            $0.registration?.isSignedIn = device.isSignedIn
            $0.unanswered = nil
            if isOtherUser { $0.generation += 1 }
        }
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
            $0.unanswered = nil
            $0.generation += 1
        }
        try forgetScenes()
    }

    /// Ends the registration because the service refuses the token. The captures that wait stay for their user.
    func endRegistration() throws(FileError) {
        guard let registration else { return }
        try changeCredentials {
            $0.registration = nil
            $0.unanswered = nil
            $0.needsSignIn = registration.isSignedIn
            $0.generation += 1
        }
        if registration.isSignedIn { needsSignInToken = true }
        problem = PlacekeeperError(.revoked, "The service ended the registration of this device.")
        try forgetScenes()
    }

    private func forgetEverything() throws(FileError) {
        try files.remove("devices")
        try forgetScenes()
    }

    /// Begins with the scenes of another device's folder.
    private func forgetScenes() throws(FileError) {
        for (name, scene) in scenes where scene.offer != nil { offers.append((name, nil)) }
        scenes = [:]
        try adopt()
        if registration == nil {
            keptCount = 0
            for name in try files.names(in: "devices") where name != "new" {
                keptCount += try captureCount(in: "devices/" + name)
            }
        }
        try loadScenes()
    }

    func changeCredentials(_ change: (inout Credentials) -> Void) throws(FileError) {
        guard var credentials else { return }
        change(&credentials)
        try store(credentials)
    }

    private func failure(of error: FileError) -> PlacekeeperError {
        error == .locked
            ? PlacekeeperError(.locked, "The device is locked.")
            : PlacekeeperError(.storageFailed, "A file of the client cannot be read or written: \(error).")
    }
}

extension ClientCore.Intent {
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
    /// Whether no other request is on its way at the same time.
    var isExclusive: Bool {
        switch self {
        case .register, .check, .change: true
        default: false
        }
    }
}
