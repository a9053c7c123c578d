/// Writes a response in the form it is sent in (RFC 9112), appending to a buffer that the caller keeps.
package enum ResponseEncoder {
    /// What of the exchange decides on a response's framing.
    package struct Exchange: Sendable {
        package var method: Method
        package var minorVersion: UInt8
        package var keepsAlive: Bool
        package init(method: Method, minorVersion: UInt8, keepsAlive: Bool) {
            self.method = method
            self.minorVersion = minorVersion
            self.keepsAlive = keepsAlive
        }
    }
}
