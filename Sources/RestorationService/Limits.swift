/// Limits of what callers give. The service refuses what is beyond them.
package enum Limits {
    /// Bytes.
    package static let archive = 1 << 20
    package static let snapshot = 2 << 20
    package static let interactionAge = Duration.seconds(30 * 86_400)
    /// Characters of a scene's name.
    package static let sceneName = 64
    /// Scenes of a user that hold archives: what places and the manifest list.
    package static let scenes = 256
    /// Scenes of a user that anything is known of, those that were forgotten lately among them.
    package static let knownScenes = 4096
    /// Devices of a user, without those that were revoked.
    package static let devices = 256
    /// Registrations of one data source that are asked, those of revoked devices among them.
    package static let registries = 512
    /// Bytes of UTF-8.
    package static let bundleIdentifier = 155
    package static let deviceText = 128
    package static let version = 64
    /// Items of a page.
    package static let page = 100
    /// How many changes a reader of them may be behind. To find the first costs by how many there are; to begin anew from
    /// the manifest costs less from here on.
    package static let changesBehind = 1000
    /// Heads of devices that are read at once, once a page was not enough.
    static let heads = 1000
    /// What is read of a list when so many are asked for. One more than a page tells whether there is a next one.
    static func fetch(_ limit: Int) -> Int { min(max(limit, 1), page + 1) }
    /// Steps of a place that a summary tells, and bytes of UTF-8 of each title.
    package static let summarySteps = 32
    package static let summaryTitle = 240
    /// Archives and reasons told when none fits.
    package static let explainedCandidates = 100
    /// Bytes of the candidates in the document that says that nothing may be restored. All else in it takes less than 2 KiB,
    /// so it has at most 64 KiB.
    package static let refusedCandidates = 62 << 10
    /// References told with the archive that is served.
    package static let explainedReferences = 200
    /// Bytes of the texts that are told of them: the last of them may be told beyond it.
    package static let explained = 1 << 20
    package static let retainedArchives = 1...1000

    // Data sources and their items

    /// Data sources of an app.
    package static let dataSources = 256
    /// Characters of a data source's name.
    package static let dataSourceName = 64
    /// Bytes of UTF-8 of an identifier, and of an alias.
    package static let identifier = 512
    package static let alias = 512
    /// Aliases of an item.
    package static let aliases = 32
    /// Bytes of a request that registers items: as one delta, and as lines, of which a hundred thousand fit.
    package static let itemsBody = 8 << 20
    package static let itemLinesBody = 32 << 20
    /// Bytes of a line: more than an item takes whose identifier and aliases are as many and as long as they may be, each
    /// byte of them escaped.
    package static let itemLine = 128 << 10
    /// Registered items of a page.
    package static let itemPage = 1000
    /// Items that one delta names, and identifiers that are resolved at once.
    package static let deltaItems = 10_000
    /// Aliases that the items of one delta have together, and those that it replaces and removes: each is written by itself,
    /// while other writers wait.
    package static let deltaAliases = 64_000
    /// Items that a device registers of one data source.
    package static let items = 1_000_000
    /// Members of a class: of a larger one the evidence has gone wrong.
    package static let classMembers = 64
    /// Aliases that its members bear.
    package static let classAliases = 512
    /// Look-ups by which one request follows evidence from device to device, about a second's; and as many by which it
    /// finds out what is evidence.
    package static let searchQuestions = 2_000_000
    /// How often an item may have been replaced by another, one after the other.
    package static let redirects = 32
    /// Decisions on the items of one user's data source.
    package static let links = 1000
    /// Registered items on each side of one that is gone that are asked for a neighbour.
    package static let neighbours = 64
    /// Elements that an archive refers to for which registered positions are asked for a neighbour, where no neighbour of
    /// the archive's own is found: about as many as an interface shows lists.
    package static let neighbourSearches = 64
    /// Items that are gathered evidence of at a time, and of these those that are looked for at a time.
    package static let evidenceAtOnce = 1024
    package static let subjectsAtOnce = 256
    /// Aliases whose bearers are looked for at a time: each may have two.
    package static let aliasesAtOnce = 1024
    /// Bytes that an archive may gain by being rewritten: the rest stays unresolved. With what was uploaded it is less than
    /// the 4 MiB that a device reads.
    package static let rewritten = 2 << 20
}
