import PlacekeeperModels

// The description of this device, which other devices show with an offer.
extension ClientCore {
    var description: Credentials.Description {
        .init(model: settings.model, name: settings.name, systemVersion: settings.device.systemVersion)
    }

    /// Sends a changed description to the service, once per process, for example after an update of the system.
    func describeDevice(at now: ClockReading) {
        guard !hasDescribed, !settings.isExtension, backoff.allowsWork(at: now), let credentials,
            credentials.description != description
        else { return }
        hasDescribed = true
        send(
            request("PATCH", "/v1/devices/self", json: DescriptionPatch(description: description)),
            .describe(description))
    }

    func receiveDescribed(_ description: Credentials.Description, _ answer: Answer, _ operation: Operation) {
        guard case .success = answer, operation.generation == credentials?.generation else { return }
        do throws(FileError) { try changeCredentials { $0.description = description } } catch { note(error) }
    }
}

/// A merge patch (RFC 7396): `null` removes a text.
private struct DescriptionPatch: Encodable {
    var description: Credentials.Description

    enum CodingKeys: CodingKey { case model, name, systemVersion }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(description.model, forKey: .model)
        try members.encode(description.name, forKey: .name)
        try members.encode(description.systemVersion, forKey: .systemVersion)
    }
}
