/// Who asks: a device, with the app that it is of.
package struct Caller: Sendable, Hashable {
    package var app: App
    package var device: Device
    package var owner: UserKey { device.owner }
    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}
