package import PlacekeeperCore

/// The caller of a request, and the freshness of the caller's user when the request arrived.
package struct Authentication: Sendable {
    package var caller: Caller
    package var freshness: Freshness

    package init(_ caller: Caller, _ freshness: Freshness) {
        self.caller = caller
        self.freshness = freshness
    }
}
