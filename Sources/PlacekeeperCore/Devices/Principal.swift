/// The requesting device and its app.
///
/// `Principal` is a class, so that a request holds only one reference. If each request copied the structs, threads would
/// contend for the reference counts of the strings in these structs.
package final class Principal: Sendable {
    package let app: App
    package let device: Device
    /// The access of the request's token.
    package let access: TokenAccess
    package var owner: UserKey { device.owner }
    /// Whether the request may change data. A request with a read-only token does not restore an archive, so the
    /// service records nothing when it serves an archive to this request.
    package var mayWrite: Bool { access == .full }

    package init(app: App, device: Device, access: TokenAccess = .full) {
        self.app = app
        self.device = device
        self.access = access
    }
}
