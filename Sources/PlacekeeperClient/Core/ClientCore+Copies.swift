// Two devices with one identity, after the client's folder was copied (docs/decisions/0091-a-copied-identity.md).
extension ClientCore {
    /// The numbers that the service accepts.
    private static let launchNumbers = Int64(1)...1 << 53
    /// The file with the number of the last launch.
    private static let launchFile = "launch"

    /// Counts this launch before its first request, so that no other launch of this device has its number.
    func countLaunch() {
        guard launchNumber == nil, !settings.isExtension, credentials != nil else { return }
        do throws(FileError) {
            let number = max(0, try lastLaunch() ?? 0) + 1
            try files.write(SealedFile.encode(number, []), to: Self.launchFile)
            launchNumber = number
        } catch { note(error) }
    }

    /// Returns the number of the last launch. Nil if there is none, or the number cannot be continued.
    private func lastLaunch() throws(FileError) -> Int64? {
        guard let bytes = try files.read(Self.launchFile, limit: 4096),
            let number = try? SealedFile.decode(Int64.self, bytes).header,
            Self.launchNumbers.dropLast().contains(number)
        else { return nil }
        return number
    }

    /// Takes a new installation, because the service knows a later launch of this identity. A registered device then registers
    /// as a copy: for the same user, with everything that waits. Returns false if this does not help.
    func leaveCopiedIdentity(_ operation: Operation) throws(FileError) -> Bool {
        guard operation.generation == credentials?.generation else { return true }
        if try lastLaunch() != launchNumber {
            // Another process of this app on this device launched later.
            launchNumber = nil
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
            // A device that is not registered has no user. Its next registration makes one, or a sign-in gives one.
            $0.copyOf = $0.registration == nil ? nil : $0.copyOf ?? $0.installation
            $0.installation = installation
            // The service carried nothing out.
            if case .change = operation.kind { $0.unanswered = nil }
        }
        return true
    }

    /// Notes the event of a device of which a copy was noticed.
    func noteCopy(_ data: String) {
        if let device = registration?.device, data.contains(device) { wasCopied = true }
    }
}

extension ClientCore.Operation {
    var isRegistration: Bool { if case .register = kind { true } else { false } }
}
