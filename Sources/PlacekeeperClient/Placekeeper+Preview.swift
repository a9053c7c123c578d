import Foundation

extension Placekeeper {
    /// A client for previews. It contacts no service and uses no files, so each scene starts fresh.
    ///
    /// ```swift
    /// #Preview { Library(placekeeper: .preview) }
    /// ```
    public static let preview: Placekeeper = {
        var configuration = Configuration()
        configuration.registersAnonymously = false
        return Placekeeper(
            key: "", configuration: configuration, clock: SystemClock(), transport: NoTransport(), files: { NoFiles() },
            credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator())
    }()
}

/// Fails every request.
private struct NoTransport: Transport {
    private static let error = TransportError.unreachable("A client for previews contacts no service.")

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { throw Self.error }

    func stream(
        _ request: TransportRequest, idleLimit: Double, receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(TransportError) { throw Self.error }
}

/// Stores nothing.
private final class NoFiles: FileSystem {
    func names(in folder: String) throws(FileError) -> [String] { [] }
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]? { nil }
    func write(_ bytes: [UInt8], to path: String) throws(FileError) {}
    func rename(_ path: String, to new: String) throws(FileError) -> Bool { true }
    func remove(_ path: String) throws(FileError) {}
}
