/// The requesting device (the authenticated principal) and its app.
///
/// A class, so a request holds a single reference. If each request copied these structs, threads would contend for the
/// reference counts of their strings.
package final class Principal: Sendable {
    package let app: App
    package let device: Device
    /// The access that the request's token grants.
    package let access: TokenAccess
    package var owner: UserKey { device.owner }
    /// Whether the request may change data. A request with a read-only token doesn't restore, so the service records
    /// nothing when it serves an archive to such a request.
    package var mayWrite: Bool { access == .full }

    package init(app: App, device: Device, access: TokenAccess = .full) {
        self.app = app
        self.device = device
        self.access = access
    }
}
