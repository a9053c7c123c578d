import PlacekeeperArchive

/// Limits on requests, stored data and the service's work. A request that exceeds a limit is refused, or data beyond
/// the limit is left out.
package enum Limits {
    /// Maximum archive size, in bytes.
    package static let archive = 1 << 20
    /// Maximum size of a body or archive that a connection's worker parses itself, in bytes. Whatever they contain,
    /// JSON of this size takes less than a millisecond, and an archive at most a few milliseconds. Anything larger goes
    /// to the offload queue.
    package static let readAtOnce = 64 << 10
    /// Maximum total size of the section names and keys in the differences of two archives, in bytes.
    package static let differenceNames = 16 << 20
    /// Maximum screenshot size, in bytes.
    package static let screenshot = 2 << 20
    /// Maximum age of the last interaction when an archive is uploaded. Greater ages count as this age.
    package static let interactionAge = Duration.seconds(3650 * 86_400)
    /// Range of the setting `tokenLifetime`.
    package static let tokenLifetime = TimeSpan.days(7).duration...TimeSpan.days(3650).duration
    /// Maximum of the setting `maximumAge`: a hundred years.
    package static let maximumAge = TimeSpan.days(36_500).duration
    /// Maximum length of a scene's name, in characters.
    package static let sceneName = 64
    /// Maximum length of a launch id, in characters.
    package static let launchID = 64
    /// Valid launch numbers.
    package static let launchNumber = Int64(1)...1 << 53
    /// Maximum length of the restoration path in an outcome, in UTF-8 bytes.
    package static let restorationPath = 1024
    /// Valid step indices in an outcome.
    package static let placeStep = 0...Place.maximumStepCount - 1
    /// Valid durations of a restore in an outcome.
    package static let restoreDuration = Duration.zero...Duration.seconds(86_400)
    /// Maximum of the quota `userScenes`: the scenes of a user that hold archives.
    package static let scenes = 10_000
    /// Least value of `App.Settings.Quotas.knownScenes`, the maximum number of scenes per user that the store keeps a
    /// record of, including recently forgotten ones.
    package static let knownScenes = 4096
    /// Maximum number of devices per user. Revoked devices don't count.
    package static let devices = 256
    /// Maximum number of registrations searched for one data source of a user, including those of revoked devices.
    package static let registries = 512
    /// Maximum length of a bundle identifier, in UTF-8 bytes.
    package static let bundleIdentifier = 155
    /// Maximum length of a device's name or model, in UTF-8 bytes.
    package static let deviceText = 128
    /// Valid lengths of an installation's secret, in characters.
    package static let installationSecret = 22...256
    /// Maximum length of a subject, in UTF-8 bytes.
    package static let subject = 255
    /// Maximum length of the issuer or the audience of sign-in tokens, in UTF-8 bytes.
    package static let issuer = 255
    /// Maximum length of an origin of web pages, in bytes.
    package static let webOrigin = 255
    /// Maximum number of origins in an app's settings.
    package static let webOrigins = 32
    /// Maximum number of sign-in keys in an app's settings.
    package static let keys = 100
    /// Maximum length of a version, in UTF-8 bytes.
    package static let version = 64
    /// Maximum number of entries on a page.
    package static let page = 100
    /// How many changes a reader's cursor may lag behind. The more there are, the longer it takes to find the first
    /// one. Beyond this limit, reading the manifest is faster, so the reader must start over from it.
    package static let changesBehind = 1000
    /// How many changes of all apps the cursor of an app's event stream may lag behind, and how many a search for an
    /// app's newest changes reads. Without this limit, an old `Last-Event-ID` would read the whole log of 30 days.
    package static let appChangesBehind = 10_000
    /// How many of the newest changes an app's event stream may start with.
    package static let recentChanges = 0...200
    /// Maximum number of event streams per app. Each may read the log four times a second.
    package static let appFollowers = 16
    /// Valid quotas of bytes, up to one exbibyte.
    package static let quotaBytes = 0...1 << 60
    /// Valid quotas of archives, of users, and of an app's devices.
    package static let quotaCount = 0...1_000_000_000
    /// Maximum number of device heads (`DeviceHead`) read by one query. The first query for a page of places has no
    /// such limit.
    package static let heads = 1000
    /// Returns how many entries to read for a requested limit: at most one more than a page. The extra entry shows
    /// whether there is a next page.
    package static func fetch(_ limit: Int) -> Int { min(max(limit, 1), page + 1) }
    /// Maximum number of a place's steps in a summary.
    package static let summarySteps = 32
    /// Maximum length of each title in a summary, in UTF-8 bytes.
    package static let summaryTitle = 240
    /// Maximum number of refused archives that a response lists with reasons.
    package static let explainedCandidates = 100
    /// Maximum size of the candidates in a problem document that refuses all archives, in bytes. The other members take
    /// less than 2 KiB, so the whole document stays within 64 KiB.
    package static let refusedCandidates = 62 << 10
    /// Maximum number of references in an explanation.
    package static let explainedReferences = 200
    /// Maximum total size of the texts in an explanation's references, in bytes. Only the last reference may exceed
    /// this limit.
    package static let explained = 1 << 20
    /// Maximum size of a place's references as JSON, in bytes.
    package static let placeReferences = 1 << 20
    /// Maximum size of a place as JSON in the form of uploads, in bytes. Only archives whose references share their
    /// texts have larger places.
    package static let placeText = 4 << 20
    /// Valid numbers of archives that a scene keeps per idiom.
    package static let retainedArchives = 1...1000
    /// Valid bursts of requests or registrations.
    package static let requestBurst = 1...1_000_000
    /// Valid numbers of requests per second after the burst.
    package static let requestsPerSecond = 1...1_000_000
    /// Valid numbers of an app's registrations per day after the burst.
    package static let registrationsPerDay = 1...100_000_000

    /// Maximum number of stopped restores per app. Each response compares its versions with all of them.
    package static let stoppedRestores = 32

    // Data sources and their items

    /// Maximum number of data sources per app.
    package static let dataSources = 256
    /// Maximum length of a data source's name, in characters.
    package static let dataSourceName = 64
    /// Maximum number of kinds of aliases that a data source declares unique.
    package static let uniqueAliases = 16
    /// Maximum length of such a kind, in UTF-8 bytes.
    package static let aliasKind = 64
    /// Maximum length of an identifier, in UTF-8 bytes.
    package static let identifier = 512
    /// Maximum length of an alias, in UTF-8 bytes.
    package static let alias = 512
    /// Maximum number of aliases per item.
    package static let aliases = 32
    /// Maximum size of a request that registers items or resolves identifiers, in bytes. The service reads this many
    /// bytes, in about 6 ms, before it knows whether a well-formed token is valid.
    package static let itemsBody = 4 << 20
    /// Maximum length of a line, in bytes. Fits an item with the longest identifier and the maximum number of the
    /// longest aliases, even if every byte is escaped.
    package static let itemLine = 128 << 10
    /// Maximum number of registered items on a page.
    package static let itemPage = 1000
    /// Maximum number of items in a delta, and of identifiers that one request resolves.
    package static let deltaItems = 10_000
    /// Maximum total number of aliases of the items in a delta. The same limit applies to the items that the delta
    /// replaces or removes. Each alias is one write, and other writers wait for all of them.
    package static let deltaAliases = 64_000
    /// Maximum number of items that a device registers for one data source.
    package static let items = 1_000_000
    /// Maximum number of members of an identity class. If a class is larger, some of its evidence must be wrong, so
    /// only items of the source device and the requesting device count as evidence.
    package static let classMembers = 64
    /// Maximum number of aliases of all members of an identity class together.
    package static let classAliases = 512
    /// The work budget of a request: the maximum number of lookups it makes to find ambiguous aliases and to follow
    /// evidence from device to device. This many lookups take about two seconds.
    package static let lookups = 4_000_000
    /// How many lookups an alignment search for one item takes from the work budget. Comparing the lists takes as long
    /// as this many lookups.
    package static let alignmentLookups = 1024
    /// Maximum number of a device's ambiguous aliases that are read to find out which kinds of aliases are ambiguous.
    package static let ambiguousKindAliases = 64
    /// The part of the work budget that is reserved for evidence about the items that a request names.
    package static let evidenceReserve = 2_000_000
    /// Maximum number of lookups in a batch. All results of a batch are in memory together, and an alias may yield two
    /// items.
    package static let batch = 1024
    /// Maximum number of redirects in a chain. Each replaces an item with another.
    package static let redirects = 32
    /// Maximum number of decisions about the items of one user's data source.
    package static let links = 1000
    /// How many registered items on each side of a removed item are considered as its replacement.
    package static let neighbors = 64
    /// Maximum number of items per archive whose neighbors are searched for by registered position, because the archive
    /// itself has no usable neighbor. Roughly the number of lists that an interface shows.
    package static let neighborSearches = 64
    /// How many items an export reads per page. Finding a page takes time in proportion to all items of the
    /// registration, so pages are large.
    package static let exportedItems = 1 << 14
    /// Maximum number of simultaneous exports per user.
    package static let exports = 2
    /// Maximum number of archives per scene in an import.
    package static let importedArchives = 1 << 14
    /// Maximum number of registrations in an import.
    package static let importedRegistrations = 1 << 16
    /// How many bytes rewriting may add to an archive. References beyond this limit are left unresolved. With the
    /// uploaded bytes, the total is less than the 4 MiB that a device reads.
    package static let rewritten = 2 << 20
    /// Maximum count of rows or bytes that a store keeps. A sum of a thousand such counts fits into 63 bits.
    package static let storedCount = 1 << 53
}
