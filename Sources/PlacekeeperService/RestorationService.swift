package import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperMatching

/// The domain logic of the service, without HTTP or SQL. It registers devices, stores archives, decides which archive a
/// device may restore and at which fidelity, and explains every decision.
///
/// The operations are grouped by noun, such as `archives` and `devices`. The service owns the state that the groups
/// share.
///
/// `RestorationService` is a class, because a struct would be copied for each request, and each copy would retain every
/// member.
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
    /// The maximum number of items a device may register for one data source.
    package let itemLimit: Int
    /// Runs work that may take a long time.
    package let offloadQueue: OffloadQueue<UserKey>
    /// Reports data that lists leave out, because it can't be read.
    let damaged: DamagedRows
    /// Wakes the followers of a user's or an app's changes.
    package let feed = ChangeFeed()
    /// The running exports of each user.
    package let exportSlots = ExportSlots()
    /// Counts requests, refusals and outcomes by the hour.
    package let hourlyCounters = HourlyCounters()
    /// How many answers to devices left out a quarantined archive since the start.
    let quarantinedAnswers = Counters(1)
    /// Collects answers and reports for the restore log.
    let restoreLog = RestoreLog()
    let repeatedReads = LockBox(RepeatedReads())
    let failedLogIns = LockBox(FailedLogIns())
    /// Assigns numbers to the client networks that send reports.
    let networkNumbers: NetworkNumbers
    /// The newest answers, for event streams.
    package let answers = AnswerFeed()
    /// The apps that the circuit breaker must judge again. Nil, as after startup, means all apps.
    let judgedApps = LockBox<Set<AppID>?>(nil)
    /// The failing pairs of each app, as of its last judgment.
    let failingPairs = LockBox<[AppID: [RestoreBreaker.PairHealth]]>([:])
    /// What a person must look at now.
    package let alerts = AlertBook()
    let principals = PrincipalCache()
    let webOrigins = WebOrigins()
    let userClocks = UserClocks()
    let clockFacts = LockBox(ClockFacts())
    let lastPrune = LockBox<LastPrune?>(nil)
    let servedMemory = ServedMemory()
    /// The users whose erasure has begun but not finished.
    let pendingErasures = LockBox<Set<UserKey>>([])
    /// Limits the sign-ins of each account, because each sign-in adds an audit log entry.
    let signIns = Throttle(burst: 100, interval: .seconds(60))
    /// Limits the wrong link codes of each source. The source is a client that registers a device, or a device that
    /// links. In addition, `Server.wrongLinks` limits the failed link attempts of each client network.
    let wrongCodes = Throttle(burst: 10, interval: .seconds(60))
    let newCodes = Throttle(burst: 600, interval: .seconds(1))
    /// Limits the requests of each device, user and app. The app's settings define the quotas.
    let requests = Throttle(App.Settings.RateLimits().device)
    /// Limits the registrations of new anonymous users of each app. The app's settings define the quota.
    let newUsers = Throttle(App.Settings.RateLimits().registrations)

    /// Hashes one password at a time, because each hash takes 128 MiB. Client networks take turns.
    let passwordQueue = OffloadQueue<String>(width: 1, limit: 32)
    /// Limits the log-ins of each client network. `logInsOfNames` limits the log-ins of each name.
    let logInsOfNetworks = Throttle(burst: 20, interval: .seconds(10))
    let logInsOfNames = Throttle(burst: 10, interval: .seconds(30))
    package let logIns = LogInCounts()
    /// The digest of the secret in the setup link, while setup is allowed.
    let setUpSecret = LockBox<Digest?>(nil)

    /// - Parameters:
    ///   - lookup: computes the lookup keys of identifiers and aliases. Never change it for an existing store, because
    ///     other keys don't find the stored items. The default `DigestLookup` suits a store that keeps its data only in
    ///     memory.
    ///   - sealing: seals the texts of items before they are stored. Never change it for an existing store, because
    ///     another implementation can't open these texts.
    ///   - signIn: verifies sign-in tokens. By default, no token is valid.
    ///   - accounts: computes the keyed hashes of users and subjects. Never change it for an existing store. The
    ///     default `DigestAccounts` suits a store that keeps its data only in memory.
    ///   - erasures: the erasure log. The default suits a store that keeps its data only in memory.
    ///   - passwords: hashes administrators' passwords. Never change it for an existing store. The default
    ///     `DigestPasswords` suits a store that keeps its data only in memory.
    ///   - report: logs a line for operators.
    package init(
        store: any Store, clock: any Clock, random: any RandomSource, hashing: any Hashing,
        lookup: (any LookupHashing)? = nil, sealing: any Sealing = PlainTexts(),
        signIn: any SignInVerifying = NoSignIn(), accounts: (any AccountHashing)? = nil,
        erasures: any ErasureLog = ErasuresInMemory(), passwords: (any PasswordHashing)? = nil,
        itemLimit: Int = Limits.items,
        offload: OffloadQueue<UserKey> = OffloadQueue(), report: @escaping @Sendable (String) -> Void = { _ in }
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
        damaged = DamagedRows(report: report)
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

    /// The dependencies for registering and resolving items.
    var identityEnvironment: IdentityEnvironment {
        IdentityEnvironment(items: store, lookup: lookup, sealing: sealing, hashing: hashing)
    }

    /// Calls the store and translates its errors into service errors.
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
