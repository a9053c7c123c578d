package import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperMatching

/// The service's domain. It registers devices, stores archives, and decides which archive a device may restore, and
/// at which fidelity. It explains every decision. It contains no HTTP and no SQL.
///
/// The methods are in groups by noun, such as `archives` and `devices`. The service owns what they share.
///
/// `RestorationService` is a class. A struct would be copied for each request, and each copy would retain every member.
package final class RestorationService: Sendable {
    let store: any Store
    package let clock: any Clock
    package let random: any RandomSource
    package let hashing: any Hashing
    package let lookup: any LookupHashing
    package let sealing: any Sealing
    let signIn: any SignInVerifying
    package let accountHashing: any AccountHashing
    package let erasures: any ErasureLog
    let passwords: any PasswordHashing
    /// The maximum number of items that a device may register for one data source.
    package let itemLimit: Int
    /// Runs work that may take long.
    package let offloadQueue: OffloadQueue<UserKey>
    /// Wakes the followers of each user's and each app's changes.
    package let feed = ChangeFeed()
    /// The running exports of each user.
    package let exportSlots = ExportSlots()
    /// Counts requests, refusals and outcomes by the hour.
    package let hourlyCounters = HourlyCounters()
    /// Gathers answers and reports for the store's restore log.
    let restoreLog = RestoreLog()
    let repeatedReads = LockBox(RepeatedReads())
    /// Numbers the client networks that send reports.
    let networkNumbers: NetworkNumbers
    /// The newest answers, for event streams.
    package let answers = AnswerFeed()
    /// The apps whose restores the breaker must judge again. Nil after the start: all apps.
    let judgedApps = LockBox<Set<AppID>?>(nil)
    let principals = PrincipalCache()
    let userClocks = UserClocks()
    let clockFacts = LockBox(ClockFacts())
    let servedMemory = ServedMemory()
    /// The users whose erasure has begun and has not ended.
    let pendingErasures = LockBox<Set<UserKey>>([])
    /// Limits the sign-ins of each account, because each of them adds an entry to the audit log.
    let signIns = Throttle(burst: 100, interval: .seconds(60))
    /// Limits the wrong link codes of each source. The source is the client that registers a device, or the device that
    /// links. In addition, `Server.wrongLinks` limits the failed attempts of one client network to link devices.
    let wrongCodes = Throttle(burst: 10, interval: .seconds(60))
    let newCodes = Throttle(burst: 600, interval: .seconds(1))
    /// Limits the requests of each device, user and app. The quotas are settings of the app.
    let requests = Throttle(App.Settings.RateLimits().device)
    /// Limits the registrations of new anonymous users of each app. The quota is a setting of the app.
    let newUsers = Throttle(App.Settings.RateLimits().registrations)

    /// Runs one hash of a password at a time, because each takes 128 MiB. The owner of a hash is the client's network.
    let passwordQueue = OffloadQueue<String>(width: 1, limit: 32)
    /// Limits the log-ins of each client network, and of each name.
    let logInsOfNetworks = Throttle(burst: 20, interval: .seconds(10))
    let logInsOfNames = Throttle(burst: 10, interval: .seconds(30))
    /// The digest of the set-up link's secret, while the service may be set up.
    let setUpSecret = LockBox<Digest?>(nil)

    /// - Parameters:
    ///   - lookup: makes the keys by which identifiers and aliases are looked up. It must stay the same for the
    ///     lifetime of the store, because another implementation makes other keys and finds no stored item. The default
    ///     `DigestLookup` suits a store whose data ends with the process.
    ///   - sealing: seals the texts of items before they are stored. It must stay the same for the lifetime of the
    ///     store, because another implementation cannot open these texts.
    ///   - signIn: verifies sign-in tokens. By default, no token is valid.
    ///   - accounts: makes the keyed hashes of users and subjects. It must stay the same for the lifetime of the store.
    ///     The default `DigestAccounts` suits a store whose data ends with the process.
    ///   - erasures: the erasure log. The default suits a store whose data ends with the process.
    ///   - passwords: hashes the passwords of administrators. It must stay the same for the lifetime of the store. The
    ///     default `DigestPasswords` suits a store whose data ends with the process.
    package init(
        store: any Store, clock: any Clock, random: any RandomSource, hashing: any Hashing,
        lookup: (any LookupHashing)? = nil, sealing: any Sealing = PlainTexts(),
        signIn: any SignInVerifying = NoSignIn(), accounts: (any AccountHashing)? = nil,
        erasures: any ErasureLog = ErasuresInMemory(), passwords: (any PasswordHashing)? = nil,
        itemLimit: Int = Limits.items,
        offload: OffloadQueue<UserKey> = OffloadQueue()
    ) {
        self.store = store
        self.clock = clock
        self.random = random
        self.hashing = hashing
        self.lookup = lookup ?? DigestLookup(hashing)
        self.sealing = sealing
        self.signIn = signIn
        accountHashing = accounts ?? DigestAccounts(hashing)
        self.erasures = erasures
        self.passwords = passwords ?? DigestPasswords(hashing)
        self.itemLimit = itemLimit
        networkNumbers = NetworkNumbers(hashing)
        self.offloadQueue = offload
    }

    package var archives: Archives { Archives(service: self) }
    package var changes: Changes { Changes(service: self) }
    package var restores: Restores { Restores(service: self) }
    package var health: Health { Health(service: self) }
    package var devices: Devices { Devices(service: self) }
    package var accounts: Accounts { Accounts(service: self) }
    package var lists: Lists { Lists(service: self) }
    package var exports: Exports { Exports(service: self) }
    package var administration: Administration { Administration(service: self) }
    package var apps: Apps { Apps(service: self) }
    package var auditLog: AuditLog { AuditLog(service: self) }
    package var browsing: Browsing { Browsing(service: self) }
    package var upkeep: Upkeep { Upkeep(service: self) }

    /// The dependencies of resolving and registering items.
    var identityEnvironment: IdentityEnvironment {
        IdentityEnvironment(items: store, lookup: lookup, sealing: sealing, hashing: hashing)
    }

    /// Calls the store, and translates the store's errors into errors of the service.
    func ask<Answer: Sendable>(_ question: (any Store) async throws(StoreError) -> Answer) async throws(ServiceError)
        -> Answer
    {
        do {
            return try await question(store)
        } catch {
            throw ServiceError(error)
        }
    }
}
