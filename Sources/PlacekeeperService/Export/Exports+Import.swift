package import PlacekeeperCore
import PlacekeeperMatching

/// An export file to import. An import reads it twice, because it stores nothing until the whole file is checked.
package protocol ImportFile {
    var header: ExportHeader { get }
    /// Calls `body` with every record, from the first to the last. Throws if the file is not a complete export. If
    /// `body` throws `importInvalid`, adds the position in the file to the error.
    mutating func forEachRecord(
        _ body: (ExportRecord) async throws(ServiceError) -> Void
    ) async throws(ServiceError)
}

/// An imported user.
package struct ImportResult: Sendable, Hashable {
    package var user: UserID
    package var subject: Subject?
    /// A link code with which a device can join the user. Nil if the user has a subject, because devices sign in then,
    /// or if no code could be created.
    package var linkCode: String?
    package var linkCodeExpiresAt: Timestamp?
    /// Why no link code could be created.
    package var linkCodeFault: String?
}

extension Exports {
    /// Imports a user from an export. The user keeps its ID, revisions and subject. Devices are added without tokens
    /// and must register again.
    ///
    /// If the import fails, the user is removed again. If the process ends during the import, a user without devices or
    /// subject is left behind.
    ///
    /// - Parameter replaces: whether to first remove a user without devices or subject that an interrupted import left
    ///   behind.
    package func importUser(
        from file: inout some ImportFile, into app: App, replaces: Bool = false, by actor: Auditor
    ) async throws(ServiceError) -> ImportResult {
        let header = file.header
        guard header.app == app.bundleIdentifier else {
            throw ServiceError(
                .importRefused, "The file is an export of the app \(header.app), and not of \(app.bundleIdentifier).")
        }
        // Lists of users start after the ID 0.
        guard header.user != UserID(high: 0, low: 0) else {
            throw ServiceError(.importInvalid, "The user's id is not valid.")
        }
        let owner = UserKey(app: app.id, user: header.user)
        let now = clock.now()
        guard header.exportedAt <= now else {
            throw ServiceError(
                .importInvalid, "The export's time is later than this machine's clock. Check the clock.")
        }
        let check = try await checked(&file, of: owner, at: now)
        try await refuseTaken(header, owner, replaces: replaces)
        try await service.auditLog.record(
            .imported, by: actor, in: app.id,
            about: header.subject.map { accountHashing.digest(of: $0, in: app.id) } ?? accountHashing.digest(of: owner))
        var user = check.user
        // Earlier erasures of this user or subject don't apply to the imported user.
        let digests =
            [accountHashing.digest(of: owner)]
            + (header.subject.map { [accountHashing.digest(of: $0, in: app.id)] } ?? [])
        let erasedAt = try await service.ask { _ async throws(StoreError) in
            try await service.erasures.latest(of: digests)
        }
        if let erasedAt { user.createdAt = max(user.createdAt, erasedAt) }
        let hasBegun = try await service.write { [user] store async throws(StoreError) in try await store.begin(user) }
        guard hasBegun else {
            throw ServiceError(.importRefused, "The user \(owner.user) exists. Erase the user first.")
        }
        do {
            try await store(&file, check, to: owner, at: now)
            try await end(check, header, owner)
        } catch {
            // If this fails too, the user is left behind, as after a crash. The first error is reported.
            _ = try? await service.write { store async throws(StoreError) in try await store.erase(owner) }
            throw error
        }
        guard header.subject == nil else { return ImportResult(user: owner.user, subject: header.subject) }
        var result = ImportResult(user: owner.user)
        do throws(ServiceError) {
            (result.linkCode, result.linkCodeExpiresAt) = try await service.devices.createLinkCode(
                for: owner, at: clock.now())
        } catch {
            // The import itself has succeeded by now.
            result.linkCodeFault = error.message
        }
        return result
    }

    /// Checks the whole file.
    private func checked(
        _ file: inout some ImportFile, of owner: UserKey, at now: Timestamp
    ) async throws(ServiceError) -> ImportCheck {
        var check = ImportCheck(of: owner, at: now, itemLimit: service.itemLimit, hashing: hashing)
        try await file.forEachRecord { record async throws(ServiceError) in try check.add(record) }
        try check.end()
        return check
    }

    /// Stores the file's records. Checks them again, because the file may have changed.
    private func store(
        _ file: inout some ImportFile, _ first: ImportCheck, to owner: UserKey, at now: Timestamp
    ) async throws(ServiceError) {
        var check = ImportCheck(of: owner, at: now, itemLimit: service.itemLimit, hashing: hashing)
        var writer = ImportWriter(to: owner, service: service)
        try await file.forEachRecord { record async throws(ServiceError) in
            try check.add(record)
            try await writer.add(record)
        }
        guard check.user == first.user, check.devices == first.devices else {
            throw ServiceError(.importInvalid, "The file changed during the import.")
        }
        try await writer.end()
    }

    /// Throws if the user or the subject already exists.
    private func refuseTaken(
        _ header: ExportHeader, _ owner: UserKey, replaces: Bool
    ) async throws(ServiceError) {
        if let subject = header.subject, let known = try await service.accounts.user(of: subject, in: owner.app),
            known != owner
        {
            throw ServiceError(
                .importRefused,
                "The subject already belongs to the user \(known.user). Erase that user first if its data may go.")
        }
        guard let facts = try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else {
            return
        }
        let devices = try await service.ask { store async throws(StoreError) in try await store.devices(of: owner) }
        guard devices.isEmpty, facts.subjectDigest == nil else {
            throw ServiceError(.importRefused, "The user \(owner.user) exists. Erase the user first.")
        }
        guard replaces else {
            throw ServiceError(
                .importRefused,
                "The user \(owner.user) exists without devices, for example because an import was interrupted. "
                    + "Repeat the import with --replace to replace the user.")
        }
        _ = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
    }

    /// Returns the imported user's account.
    private func account(of subject: Subject, importedTo owner: UserKey) -> Account {
        Account(digest: accountHashing.digest(of: subject, in: owner.app), newUser: owner.user) { [sealing] owner in
            sealing.seal(subject.bytes, for: owner)
        }
    }

    /// Stores a generated user without an import's checks. Returns false if a device or the account already exists.
    package func writeUser(
        _ user: ImportedUser, _ records: [ExportRecord], devices: [Device], subject: Subject?
    ) async throws(ServiceError) -> Bool {
        _ = try await service.write { store async throws(StoreError) in try await store.begin(user) }
        var writer = ImportWriter(to: user.owner, service: service)
        for record in records { try await writer.add(record) }
        try await writer.end()
        let account = subject.map { self.account(of: $0, importedTo: user.owner) }
        let end = try await service.write { store async throws(StoreError) in
            try await store.end(importOf: user.owner, devices: devices, account: account)
        }
        guard end == .done else { return false }
        await recordSeen(devices, of: user.owner)
        return true
    }

    /// Records when the devices were last seen, so that lists of users know the imported user's size
    /// (`UserPosition.key`). If it fails, the next use of a device records it.
    private func recordSeen(_ devices: [Device], of owner: UserKey) async {
        guard !devices.isEmpty else { return }
        let times = Dictionary(devices.map { ($0.id, $0.lastSeenAt) }, uniquingKeysWith: { max($0, $1) })
        try? await service.ask { store async throws(StoreError) in try await store.recordSeen([owner: times]) }
    }

    private func end(_ check: ImportCheck, _ header: ExportHeader, _ owner: UserKey) async throws(ServiceError) {
        let account = header.subject.map { subject in self.account(of: subject, importedTo: owner) }
        let devices = check.devices.map { device in
            var device = device
            device.owner = owner
            return device
        }
        let end = try await service.write { store async throws(StoreError) in
            try await store.end(importOf: owner, devices: devices, account: account)
        }
        switch end {
        case .done: await recordSeen(devices, of: owner)
        case .accountTaken:
            throw ServiceError(
                .importRefused, "The subject already belongs to another user. Erase that user first if its data may go."
            )
        case .deviceTaken(let device):
            throw ServiceError(.importRefused, "The device \(device) belongs to another user of the service.")
        }
    }
}
