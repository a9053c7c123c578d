// The signatures that the server is written against.

extension RestorationService {
    // Apps
    package func createApp(_ bundleIdentifier: String) async throws(ServiceError) -> App { fatalError() }
    package func app(_ selector: AppSelector) async throws(ServiceError) -> App { fatalError() }

    // Devices
    package func register(_ registration: Registration) async throws(ServiceError) -> Registered { fatalError() }
    /// nil for a token that is unknown or revoked. Answers from memory when it can.
    package func authenticate(token: ArraySlice<UInt8>) async throws(ServiceError) -> Caller? { fatalError() }
    package func devices(for caller: Caller) async throws(ServiceError) -> [Device] { fatalError() }
    package func revoke(_ device: DeviceID, for caller: Caller) async throws(ServiceError) { fatalError() }
    /// The code's eight characters and when it expires.
    package func createLinkCode(for caller: Caller) async throws(ServiceError) -> (code: String, expiresAt: Timestamp) {
        fatalError()
    }
    package func link(_ caller: Caller, with code: String) async throws(ServiceError) -> Device { fatalError() }

    // Archives
    package func store(_ upload: Upload, for caller: Caller) async throws(ServiceError) -> PutResult { fatalError() }
    package func latest(
        in scene: String, of device: DeviceID?, for context: Context, caller: Caller, entityTags: EntityTagCondition
    ) async throws(ServiceError) -> Selection { fatalError() }
    package func explainLatest(in scene: String, of device: DeviceID?, for context: Context, caller: Caller)
        async throws(ServiceError)
        -> Explanation
    { fatalError() }
    package func restorable(_ id: ArchiveID, in scene: String, for context: Context, caller: Caller)
        async throws(ServiceError) -> Selection
    {
        fatalError()
    }
    package func archive(_ id: ArchiveID, in scene: String, caller: Caller) async throws(ServiceError) -> ArchiveLookup
    { fatalError() }
    package func bytes(of archive: Archive) async throws(ServiceError) -> [UInt8] { fatalError() }
    package func history(in scene: String, below: Archive.Position?, limit: Int, caller: Caller)
        async throws(ServiceError) -> [Archive]
    {
        fatalError()
    }
    package func delete(_ id: ArchiveID, in scene: String, caller: Caller) async throws(ServiceError) { fatalError() }
    package func forget(_ scene: String, caller: Caller) async throws(ServiceError) { fatalError() }
    /// A new archive over the same bytes, captured now: it becomes the head.
    package func makeHead(_ id: ArchiveID, as new: ArchiveID, in scene: String, caller: Caller)
        async throws(ServiceError) -> PutResult
    {
        fatalError()
    }
    package func putSnapshot(_ bytes: [UInt8], for id: ArchiveID, in scene: String, caller: Caller)
        async throws(ServiceError)
    { fatalError() }
    package func snapshot(for id: ArchiveID, in scene: String, caller: Caller) async throws(ServiceError) -> Snapshot? {
        fatalError()
    }
    package func report(_ result: Outcome.Result, of id: ArchiveID, in scene: String, context: Context, caller: Caller)
        async throws(ServiceError)
    {
        fatalError()
    }
    package func places(for context: Context, caller: Caller) async throws(ServiceError) -> [Place] { fatalError() }

    // Changes
    package func changes(after revision: Revision, limit: Int, caller: Caller) async throws(ServiceError) -> ChangePage
    { fatalError() }
}

/// `If-None-Match` as the caller sent it.
package enum EntityTagCondition: Sendable {
    case none
    case any
    case tags([String])
}
