/// Who asks: a device, with the app that it is of.
///
/// A class, so that a request holds all of it by one reference: requests of several threads that each copied its texts
/// would fight over their reference counts.
package final class Caller: Sendable {
    package let app: App
    package let device: Device
    package var owner: UserKey { device.owner }

    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}
