package import PlacekeeperCore

/// What resolving and registering items depends on.
package struct IdentityEnvironment: Sendable {
    let items: any ItemReading
    let lookup: any LookupHashing
    let sealing: any Sealing
    let hashing: any Hashing

    package init(
        items: any ItemReading, lookup: any LookupHashing, sealing: any Sealing, hashing: any Hashing
    ) {
        self.items = items
        self.lookup = lookup
        self.sealing = sealing
        self.hashing = hashing
    }
}
