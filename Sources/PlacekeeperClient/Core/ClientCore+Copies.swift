// Two devices with one identity, after the client's folder was copied (docs/decisions/0091-a-copied-identity.md).
extension ClientCore {
    /// A counted launch of this device. It lets the service detect another device with the same identity.
    struct CountedLaunch: Codable, Equatable {
        /// The numbers that the service accepts.
        static let numbers = Int64(1)...1 << 53

        var number: Int64
        var id: String
        /// Whether the service has accepted a request with this count.
        var isKnown = false

        /// The value of the field `Counted-Launch`.
        var field: String { "\(number)-\(id)" }

        func isSame(as other: CountedLaunch?) -> Bool { number == other?.number && id == other?.id }
    }

    /// The file of the last counted launch.
    private static let launchFile = "launch"

    /// Counts this launch before its first request. If the service has not accepted the last counted launch yet, this
    /// launch reuses its number and id, even in another process. So two devices that were offline with one identity
    /// have the same number, however often they were launched.
    func countLaunch() {
        guard countedLaunch == nil, !settings.isExtension, credentials != nil else { return }
        do throws(FileError) {
            let last = try lastLaunch()
            if let last, !last.isKnown { return countedLaunch = last }
            let launch = CountedLaunch(number: (last?.number ?? 0) + 1, id: newUUID())
            try files.write(ChecksummedFile.encode(launch, []), to: Self.launchFile)
            countedLaunch = launch
        } catch { note(error) }
    }

    /// Counts a launch before a sign-in or link. Otherwise another device with this identity could launch later and keep
    /// the identity, and would not know that it now belongs to another user.
    func countChangeOfUser() {
        guard countedLaunch?.isKnown == true else { return }
        countedLaunch = nil
        countLaunch()
    }

    /// Records that the service has accepted a request with this count, so the next launch gets a new one.
    func noteLaunchIsKnown(by operation: Operation) {
        guard var launch = countedLaunch, !launch.isKnown, launch.isSame(as: operation.launch), registration != nil
        else { return }
        do throws(FileError) {
            launch.isKnown = true
            countedLaunch = launch
            // Another process may have counted a launch in the meantime.
            guard launch.isSame(as: try lastLaunch()) else { return }
            try files.write(ChecksummedFile.encode(launch, []), to: Self.launchFile)
        } catch { note(error) }
    }

    /// Returns the last counted launch. `nil` if there is none, if its file is damaged, or if its
    /// number has no valid successor.
    private func lastLaunch() throws(FileError) -> CountedLaunch? {
        guard let bytes = try files.read(Self.launchFile, limit: 4096),
            let launch = try? ChecksummedFile.decode(CountedLaunch.self, bytes).header,
            CountedLaunch.numbers.dropLast().contains(launch.number)
        else { return nil }
        return launch
    }

    /// Creates a new installation, because the service knows another launch of this identity. A registered device then
    /// registers as a copy, for the same user and with all pending states. Returns false if this process has already
    /// created an installation that the service has not accepted.
    func leaveCopiedIdentity(_ operation: Operation) throws(FileError) -> Bool {
        guard operation.generation == credentials?.generation else { return true }
        // The request was sent before this process took over another process's counted launch.
        if let countedLaunch, !countedLaunch.isSame(as: operation.launch) { return true }
        if let last = try lastLaunch(), !last.isSame(as: countedLaunch) {
            // Another process of this app was launched later on this device.
            countedLaunch = last
            readAgain()
            readAccount()
            return true
        }
        // The service at a new address knows the device.
        if case .confirm = operation.kind { try noteConfirmation() }
        if credentials?.copyOf != nil, !operation.kind.isExclusive { return true }
        guard !hasRenewedInstallation else { return false }
        hasRenewedInstallation = true
        let installation = newInstallation()
        try changeCredentials {
            // An unregistered device has no user. It gets one at its next registration or at a sign-in.
            $0.copyOf = $0.registration == nil ? nil : $0.copyOf ?? $0.installation
            $0.installation = installation
            // The service changed nothing.
            if case .change = operation.kind { $0.unanswered = nil }
        }
        return true
    }

    /// Handles the event about a device of which a copy was detected.
    func noteCopy(_ data: String) {
        if let device = registration?.device, data.contains(device) { wasCopied = true }
    }
}

extension ClientCore.Operation {
    var isRegistration: Bool { if case .register = kind { true } else { false } }
}
