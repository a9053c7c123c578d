/// Limits of requests. Each value is a maximum. The service refuses a request that exceeds a limit.
package enum Limits {
    /// Bytes of an archive.
    package static let archive = 1 << 20
    /// Bytes of a snapshot.
    package static let snapshot = 2 << 20
    /// The age of the last interaction at an upload.
    package static let interactionAge = Duration.seconds(30 * 86_400)
    /// Characters of a scene's name.
    package static let sceneName = 64
    /// Scenes of a user that hold archives. The places and the manifest list these scenes.
    package static let scenes = 256
    /// Scenes of a user that the store knows, including recently forgotten scenes.
    package static let knownScenes = 4096
    /// Devices of a user. Revoked devices do not count.
    package static let devices = 256
    /// Registrations of one data source that are searched, including registrations of revoked devices.
    package static let registries = 512
    /// Bytes of UTF-8 of a bundle identifier.
    package static let bundleIdentifier = 155
    /// Bytes of UTF-8 of a device's name, and of its model.
    package static let deviceText = 128
    /// Bytes of UTF-8 of a version.
    package static let version = 64
    /// Entries of a page.
    package static let page = 100
    /// Changes that may follow the last change that a reader knows. The cost of finding the first of these changes
    /// grows with their number. Beyond the limit, reading the manifest costs less.
    package static let changesBehind = 1000
    /// Device heads that one query reads, if the first page was not enough.
    static let heads = 1000
    /// Returns the number of entries to read for a requested limit: at most one entry more than a page. This entry
    /// shows whether a next page exists.
    static func fetch(_ limit: Int) -> Int { min(max(limit, 1), page + 1) }
    /// Steps of a place in a summary.
    package static let summarySteps = 32
    /// Bytes of UTF-8 of each title in a summary.
    package static let summaryTitle = 240
    /// Refused archives that an answer lists with their reasons.
    package static let explainedCandidates = 100
    /// Bytes of the candidates in the problem document that refuses all archives. The other members take less than 2
    /// KiB, so the whole document has at most 64 KiB.
    package static let refusedCandidates = 62 << 10
    /// References of the served archive that an explanation lists.
    package static let explainedReferences = 200
    /// Bytes of the texts in an explanation's references. The last reference may exceed the limit.
    package static let explained = 1 << 20
    /// Archives that a scene keeps for each idiom.
    package static let retainedArchives = 1...1000

    // Data sources and their items

    /// Data sources of an app.
    package static let dataSources = 256
    /// Characters of a data source's name.
    package static let dataSourceName = 64
    /// Bytes of UTF-8 of an identifier.
    package static let identifier = 512
    /// Bytes of UTF-8 of an alias.
    package static let alias = 512
    /// Aliases of an item.
    package static let aliases = 32
    /// Bytes of a request that registers items as one delta.
    package static let itemsBody = 8 << 20
    /// Bytes of a request that registers items as lines. A hundred thousand items fit into one request.
    package static let itemLinesBody = 32 << 20
    /// Bytes of a line. An item with the longest identifier and the maximum number of longest aliases fits, even if
    /// each byte is escaped.
    package static let itemLine = 128 << 10
    /// Registered items of a page.
    package static let itemPage = 1000
    /// Items that one delta names, and identifiers that one request resolves.
    package static let deltaItems = 10_000
    /// Aliases of all items of one delta together. The same limit applies to the aliases of all items that the delta
    /// replaces or removes. Each alias is one write, and other writers wait for all these writes.
    package static let deltaAliases = 64_000
    /// Items that a device registers for one data source.
    package static let items = 1_000_000
    /// Members of an identity class. The evidence of a larger class must be wrong.
    package static let classMembers = 64
    /// Aliases of all members of an identity class.
    package static let classAliases = 512
    /// The work budget of a request: its look-ups that find ambiguous aliases, and its look-ups that follow
    /// evidence from device to device. They take about two seconds.
    package static let lookups = 4_000_000
    /// The look-ups of a work budget that are kept for the evidence of the items that a request names.
    package static let evidenceReserve = 2_000_000
    /// The look-ups that a request makes in one batch. Their answers are in memory together. An alias may have two
    /// items.
    package static let batch = 1024
    /// Redirects in a chain. Each redirect replaces an item by another item.
    package static let redirects = 32
    /// Decisions about the items of one user's data source.
    package static let links = 1000
    /// Registered items on each side of a removed item that are considered as its replacement.
    package static let neighbours = 64
    /// Items of one archive whose neighbors are searched among the registered positions. This search is used if the
    /// archive itself has no usable neighbor. The limit is about the number of lists that an interface shows.
    package static let neighbourSearches = 64
    /// Bytes that rewriting may add to an archive. References beyond the limit stay unresolved. The uploaded bytes
    /// and the added bytes together are less than the 4 MiB that a device reads.
    package static let rewritten = 2 << 20
}
