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
    /// Bytes of UTF-8.
    package static let bundleIdentifier = 155
    package static let deviceText = 128
    package static let version = 64
    /// Items of a page.
    package static let page = 100
    /// How many changes a reader of them may be behind. To find the first costs by how many there are; to begin anew from
    /// the manifest costs less from here on.
    package static let changesBehind = 1000
    /// What is read of a list when so many are asked for. One more than a page tells whether there is a next one.
    static func fetch(_ limit: Int) -> Int { min(max(limit, 1), page + 1) }
    /// Steps of a place that a summary tells, and bytes of UTF-8 of each title.
    package static let summarySteps = 32
    package static let summaryTitle = 240
    /// Archives and reasons told when none fits.
    package static let explainedCandidates = 100
    package static let retainedArchives = 1...1000
}
