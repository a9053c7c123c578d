import PlacekeeperConcurrency

/// The dependencies of resolving and registering items.
struct IdentityEnvironment: Sendable {
    let store: any Store
    let lookup: any LookupHashing
    let sealing: any Sealing
    let hashing: any Hashing
}
