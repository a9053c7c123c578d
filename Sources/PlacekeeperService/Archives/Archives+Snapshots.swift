package import PlacekeeperCore

extension Archives {
    /// Stores a picture of the screen for an archive. The service serves a snapshot only for the archive for which it
    /// was stored.
    package func putSnapshot(_ bytes: [UInt8], for id: ArchiveID, in scene: String, caller: Caller)
        async throws(ServiceError)
    {
        let key = try key(of: scene, caller)
        guard caller.app.settings.allowsSnapshots else {
            throw ServiceError(.snapshotsOff, "Snapshots are switched off for this app.")
        }
        guard bytes.count <= Limits.snapshot else {
            throw ServiceError(.snapshotTooLarge, "A snapshot can have at most \(Limits.snapshot) bytes.")
        }
        guard let format = Snapshot.Format(of: bytes) else {
            throw ServiceError(.snapshotUnreadable, "A snapshot must be a PNG or a JPEG image.")
        }
        let result = try await service.write { store async throws(StoreError) in
            try await store.putSnapshot(
                Snapshot(format: format, bytes: bytes), for: id, in: key, quotas: caller.app.settings.quotas)
        }
        switch result {
        case .stored: return
        case .noArchive: throw try await missing(id, in: key)
        case .quotaExceeded(let excess): throw ServiceError(excess)
        }
    }

    package func snapshot(for id: ArchiveID, in scene: String, caller: Caller) async throws(ServiceError) -> Snapshot? {
        let key = try key(of: scene, caller)
        guard caller.app.settings.allowsSnapshots else { return nil }
        return try await service.ask { store async throws(StoreError) in try await store.snapshot(for: id, in: key) }
    }
}

extension Snapshot.Format {
    /// Detects the format by the first bytes: PNG's signature (RFC 2083 section 3.1), or JPEG's start of image and a
    /// marker.
    init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else {
            return nil
        }
    }
}
