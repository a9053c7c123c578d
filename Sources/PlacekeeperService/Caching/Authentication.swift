package import PlacekeeperCore

/// The caller of a request, and the userVersion of the caller's user when the request arrived.
package struct Authentication: Sendable {
    package var principal: Principal
    package var userVersion: UserVersion

    package init(_ principal: Principal, _ userVersion: UserVersion) {
        self.principal = principal
        self.userVersion = userVersion
    }
}
