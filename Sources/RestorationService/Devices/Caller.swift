/// The requesting device and its app.
///
/// `Caller` is a class, so that a request holds only one reference. If each request copied the structs, threads would
/// contend for the reference counts of the strings in these structs.
package final class Caller: Sendable {
    package let app: App
    package let device: Device
    package var owner: UserKey { device.owner }

    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}

/// The caller of a request, and the freshness of the caller's user when the request arrived.
package struct Authentication: Sendable {
    package var caller: Caller
    package var freshness: Freshness

    package init(_ caller: Caller, _ freshness: Freshness) {
        self.caller = caller
        self.freshness = freshness
    }
}
