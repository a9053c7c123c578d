// Two devices with one identity, after the client's folder was copied (docs/decisions/0091-a-copied-identity.md).
extension ClientCore {
    /// The greatest number of a launch that the service accepts.
    private static let launchLimit = Int64(1) << 53

    /// Counts this launch before its first request, so that no other launch of this device has its number.
    func countLaunch() {
        guard launchNumber == nil, !settings.isExtension, let credentials else { return }
        let number = min(max(credentials.launchNumber ?? 0, 0), Self.launchLimit - 1) + 1
        do throws(FileError) {
            try changeCredentials { $0.launchNumber = number }
            launchNumber = number
        } catch { note(error) }
    }

    /// Takes a new installation, because the service knows a later launch of this identity. The next request registers this
    /// device as a copy: for the same user, with everything that waits. Returns false if this does not help.
    func leaveCopiedIdentity(_ operation: Operation) throws(FileError) -> Bool {
        guard operation.generation == credentials?.generation else { return true }
        if let stored = try credentialStore.read(), stored.launchNumber != launchNumber {
            // Another process of this app on this device launched later.
            (account, launchNumber) = (.unread, nil)
            readAccount()
            return true
        }
        if credentials?.copyOf != nil, !operation.isRegistration { return true }
        guard !hasRenewedInstallation else { return false }
        hasRenewedInstallation = true
        let installation = newInstallation()
        try changeCredentials {
            ($0.copyOf, $0.installation) = ($0.copyOf ?? $0.installation, installation)
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
