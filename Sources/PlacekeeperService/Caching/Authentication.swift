package import PlacekeeperCore

/// A request's principal, with the user's version when the request arrived.
package struct Authentication: Sendable {
    package var principal: Principal
    package var userVersion: UserVersion

    package init(_ principal: Principal, _ userVersion: UserVersion) {
        self.principal = principal
        self.userVersion = userVersion
    }
}
