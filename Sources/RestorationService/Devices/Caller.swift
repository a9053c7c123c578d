/// The requesting device and its app.
///
/// `Caller` is a class, so that a request holds only one reference. If each request copied the structs, threads would
/// contend for the reference counts of their texts.
package final class Caller: Sendable {
    package let app: App
    package let device: Device
    package var owner: UserKey { device.owner }

    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}
