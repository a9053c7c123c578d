import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching

/// A group of use cases, with what the groups share.
protocol UseCases: Sendable {
    var service: RestorationService { get }
}

extension UseCases {
    var store: any Store { service.store }
    var clock: any Clock { service.clock }
    var random: any RandomSource { service.random }
    var hashing: any Hashing { service.hashing }
    var lookup: any LookupHashing { service.lookup }
    var sealing: any Sealing { service.sealing }
    var accountHashing: any AccountHashing { service.accountHashing }
    var identityEnvironment: IdentityEnvironment { service.identityEnvironment }
    var hourlyCounters: HourlyCounters { service.hourlyCounters }
    var principals: PrincipalCache { service.principals }
    var userClocks: UserClocks { service.userClocks }
}
