package import RestorationService

extension Store {
    /// Registers a device without an installation.
    package func register(
        _ device: Device, token: Digest, linkCode: Digest?
    ) async throws(StoreError) -> Committed<Joining> {
        try await register(NewDevice(device, token: token, joins: linkCode.map { .linkCode($0) } ?? .newUser))
    }

    /// Returns the device of a token.
    package func device(token: Digest) async throws(StoreError) -> Fresh<Device>? {
        try await credential(of: token).map { Fresh($0.value.device, $0.freshness) }
    }
}
