package import PlacekeeperCore

extension Archives {
    /// Stores a screenshot for an archive. The service never serves it for another archive.
    package func putScreenshot(_ bytes: [UInt8], for id: ArchiveID, in scene: String, principal: Principal)
        async throws(ServiceError)
    {
        let key = try key(of: scene, principal)
        guard principal.app.settings.allowsScreenshots else {
            throw ServiceError(.screenshotsOff, "Screenshots are turned off for this app.")
        }
        guard bytes.count <= Limits.screenshot else {
            throw ServiceError(.screenshotTooLarge, "A screenshot can have at most \(Limits.screenshot) bytes.")
        }
        guard let format = Screenshot.Format(of: bytes) else {
            throw ServiceError(.screenshotUnreadable, "A screenshot must be a PNG or a JPEG image.")
        }
        let result = try await service.write { store async throws(StoreError) in
            try await store.putScreenshot(
                Screenshot(format: format, bytes: bytes), for: id, in: key, quotas: principal.app.settings.quotas)
        }
        switch result {
        case .stored: return
        case .noArchive: throw try await missing(id, in: key)
        case .quotaExceeded(let excess): throw ServiceError(excess)
        }
    }

    package func screenshot(for id: ArchiveID, in scene: String, principal: Principal) async throws(ServiceError)
        -> Screenshot?
    {
        let key = try key(of: scene, principal)
        guard principal.app.settings.allowsScreenshots else { return nil }
        return try await service.ask { store async throws(StoreError) in try await store.screenshot(for: id, in: key) }
    }
}

extension Screenshot.Format {
    /// Detects the format from the first bytes: the PNG signature (RFC 2083 section 3.1), or JPEG's start-of-image
    /// followed by a marker.
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
