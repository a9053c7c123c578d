/// The requesting device and its app.
///
/// A class, so that a request holds one reference. If each request copied the texts, threads would contend for their
/// reference counts.
package final class Caller: Sendable {
    package let app: App
    package let device: Device
    package var owner: UserKey { device.owner }

    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}
