import PlacekeeperArchive

/// Limits of requests, of stored data and of the service's work. The service refuses a request that exceeds a limit, or
/// leaves out the data beyond the limit.
package enum Limits {
    /// The maximum number of bytes of an archive.
    package static let archive = 1 << 20
    /// The maximum number of bytes of a body or an archive that a connection's worker reads itself. JSON of this size
    /// takes less than a millisecond, and an archive at most a few, whatever they contain. Longer ones are read on the
    /// offload queue.
    package static let readAtOnce = 64 << 10
    /// The maximum number of bytes of the sections' names and keys in the differences of two archives.
    package static let differenceNames = 16 << 20
    /// The maximum number of bytes of a screenshot.
    package static let screenshot = 2 << 20
    /// The maximum age of the last interaction when an archive is uploaded. A greater age counts as this age.
    package static let interactionAge = Duration.seconds(3650 * 86_400)
    /// The greatest value of the setting `maximumAge`: a hundred years.
    package static let maximumAge = TimeSpan.days(36_500).duration
    /// The maximum number of characters of a scene's name.
    package static let sceneName = 64
    /// The maximum number of characters of a launch id.
    package static let launchID = 64
    /// The allowed numbers of a launch.
    package static let launchNumber = Int64(1)...1 << 53
    /// The maximum number of UTF-8 bytes of the restoration path in an outcome.
    package static let restorationPath = 1024
    /// The allowed indices of a place's step in an outcome.
    package static let placeStep = 0...Place.maximumStepCount - 1
    /// The allowed durations of a restore in an outcome.
    package static let restoreDuration = Duration.zero...Duration.seconds(86_400)
    /// The greatest value of the quota `userScenes`: the number of a user's scenes that hold archives.
    package static let scenes = 10_000
    /// The least maximum number of a user's scenes of which the store keeps a record, including recently forgotten scenes.
    package static let knownScenes = 4096
    /// The maximum number of a user's devices, without revoked devices.
    package static let devices = 256
    /// The maximum number of registrations that the service searches for one data source of a user, including
    /// registrations of revoked devices.
    package static let registries = 512
    /// The maximum number of UTF-8 bytes of a bundle identifier.
    package static let bundleIdentifier = 155
    /// The maximum number of UTF-8 bytes of a device's name, and of a device's model.
    package static let deviceText = 128
    /// The allowed numbers of characters of an installation's secret.
    package static let installationSecret = 22...256
    /// The maximum number of UTF-8 bytes of a subject.
    package static let subject = 255
    /// The maximum number of UTF-8 bytes of the issuer and of the audience of sign-in tokens.
    package static let issuer = 255
    /// The maximum number of keys for sign-in tokens in an app's settings.
    package static let keys = 100
    /// The maximum number of UTF-8 bytes of a version.
    package static let version = 64
    /// The maximum number of entries of a page.
    package static let page = 100
    /// The maximum number of changes that may follow the revision from which a reader continues. The cost of finding
    /// the first of these changes grows with their number. Beyond the limit, reading the manifest costs less, so the
    /// reader must start again from the manifest.
    package static let changesBehind = 1000
    /// The maximum number of changes of all apps that may follow the position from which a stream of an app's events
    /// continues, and that the search for an app's newest changes reads. Without this limit, an old `Last-Event-ID` would
    /// read the whole log, which has the changes of 30 days.
    package static let appChangesBehind = 10_000
    /// The maximum number of changes of all apps that one read for an app's events reads.
    package static let changesAtOnce = 1000
    /// How many of the newest changes a stream of an app's events may begin with.
    package static let recentChanges = 0...200
    /// The maximum number of streams of one app's events. Each stream may read the log four times a second.
    package static let appFollowers = 16
    /// The allowed values of a quota of bytes. The greatest value is an exbibyte.
    package static let quotaBytes = 0...1 << 60
    /// The allowed values of a quota of archives, of users, and of an app's devices.
    package static let quotaCount = 0...1_000_000_000
    /// The maximum number of device heads (`DeviceHead`) that one query reads, except the first query for a page of
    /// places.
    package static let heads = 1000
    /// Returns the number of entries to read for a requested limit: at most one entry more than a page. The additional
    /// entry shows whether a next page exists.
    package static func fetch(_ limit: Int) -> Int { min(max(limit, 1), page + 1) }
    /// The maximum number of a place's steps in a summary.
    package static let summarySteps = 32
    /// The maximum number of UTF-8 bytes of each title in a summary.
    package static let summaryTitle = 240
    /// The maximum number of refused archives that an answer lists with their reasons.
    package static let explainedCandidates = 100
    /// The maximum number of bytes of the candidates in a problem document that refuses all archives. The other members
    /// of the document take less than 2 KiB, so the whole document has at most 64 KiB.
    package static let refusedCandidates = 62 << 10
    /// The maximum number of references that an explanation lists.
    package static let explainedReferences = 200
    /// The maximum number of bytes of the texts in an explanation's references. Only the last listed reference may
    /// exceed this limit.
    package static let explained = 1 << 20
    /// The maximum number of bytes of a place's references in JSON.
    package static let placeReferences = 1 << 20
    /// The allowed values of the number of archives that a scene keeps for each idiom.
    package static let retainedArchives = 1...1000
    /// The allowed values of the number of requests or registrations at once.
    package static let requestBurst = 1...1_000_000
    /// The allowed values of the number of requests per second after the burst.
    package static let requestsPerSecond = 1...1_000_000
    /// The allowed values of the number of an app's registrations per day after the burst.
    package static let registrationsPerDay = 1...100_000_000

    /// The maximum number of an app's stopped restores. Each answer compares the versions of all of them.
    package static let stoppedRestores = 32

    // Data sources and their items

    /// The maximum number of data sources of an app.
    package static let dataSources = 256
    /// The maximum number of characters of a data source's name.
    package static let dataSourceName = 64
    /// The maximum number of UTF-8 bytes of an identifier.
    package static let identifier = 512
    /// The maximum number of UTF-8 bytes of an alias.
    package static let alias = 512
    /// The maximum number of aliases of an item.
    package static let aliases = 32
    /// The maximum number of bytes of a request that registers items, or that resolves identifiers. The service reads so
    /// many bytes before it knows whether a well-formed token is valid, in about 6 ms.
    package static let itemsBody = 4 << 20
    /// The maximum number of bytes of a line. An item with the longest identifier and the maximum number of longest
    /// aliases fits into one line, even if each byte is escaped.
    package static let itemLine = 128 << 10
    /// The maximum number of registered items of a page.
    package static let itemPage = 1000
    /// The maximum number of items that one delta names, and of identifiers that one request resolves.
    package static let deltaItems = 10_000
    /// The maximum number of aliases of all items of one delta together. The same limit applies to the aliases of all
    /// items that the delta replaces or removes. The reason is that each alias is one write, and other writers wait for
    /// all these writes.
    package static let deltaAliases = 64_000
    /// The maximum number of items that a device registers for one data source.
    package static let items = 1_000_000
    /// The maximum number of members of an identity class. If a class is larger, some of its evidence must be wrong, so
    /// the service uses as evidence only items of the source device and the requesting device.
    package static let classMembers = 64
    /// The maximum number of aliases of all members of an identity class.
    package static let classAliases = 512
    /// The work budget of a request: the maximum total number of lookups that the request makes to find ambiguous
    /// aliases and to follow evidence from device to device. This number of lookups takes about two seconds.
    package static let lookups = 4_000_000
    /// The number of lookups that a search for one item's alignment takes from the work budget. The comparison of the
    /// lists takes as long as these lookups.
    package static let alignmentLookups = 1024
    /// The maximum number of a device's ambiguous aliases that are read to find out which kinds of aliases are ambiguous.
    package static let ambiguousKindAliases = 64
    /// The part of the work budget that is reserved for the evidence of the items that a request names.
    package static let evidenceReserve = 2_000_000
    /// The maximum number of lookups that a request makes in one batch. All answers of a batch are in memory together,
    /// and the answer for an alias may be two items.
    package static let batch = 1024
    /// The maximum number of redirects in a chain. Each redirect replaces an item by another item.
    package static let redirects = 32
    /// The maximum number of decisions about the items of one data source of one user.
    package static let links = 1000
    /// For a removed item, the maximum number of registered items on each side that the service considers as a
    /// replacement.
    package static let neighbors = 64
    /// The maximum number of items of one archive whose neighbors are searched among the registered positions. This
    /// search is used if the archive itself has no usable neighbor. The limit is approximately the number of lists that
    /// an interface shows.
    package static let neighborSearches = 64
    /// The number of items that an export reads at once. Finding a page costs time in proportion to all items of the
    /// registration, so the pages are large.
    package static let exportedItems = 1 << 14
    /// The maximum number of exports of one user at the same time.
    package static let exports = 2
    /// The maximum number of archives of one scene in an import.
    package static let importedArchives = 1 << 14
    /// The maximum number of registrations in an import.
    package static let importedRegistrations = 1 << 16
    /// The maximum number of bytes that rewriting may add to an archive. References beyond the limit stay unresolved.
    /// The uploaded bytes and the added bytes together are less than the 4 MiB that a device reads.
    package static let rewritten = 2 << 20
    /// The maximum count of rows or bytes that a store keeps. A sum of a thousand such numbers fits into 63 bits.
    package static let storedCount = 1 << 53
}
