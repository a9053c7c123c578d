import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching

/// A group of use cases, with access to what the groups share.
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

/// Signs devices in and out, and erases users.
package struct Accounts: UseCases {
    let service: RestorationService
}

/// Decides which archive a device may restore, explains the decision, and records the outcomes.
package struct Restores: UseCases {
    let service: RestorationService
}

/// Declares lists, registers their items, and resolves identifiers.
package struct Lists: UseCases {
    let service: RestorationService
}

/// Watches whether restores succeed: the restore log, the breaker, and dry runs of settings.
package struct Health: UseCases {
    let service: RestorationService
}

/// Exports and imports users.
package struct Exports: UseCases {
    let service: RestorationService
}

/// Manages administrators, their sessions, and API tokens.
package struct Administration: UseCases {
    let service: RestorationService
}
