extension Wire {
    /// `GET /v1/limits`: what a request may measure. Bytes, counts and seconds.
    package struct Limits: Sendable, Hashable, Codable {
        package var archiveBytes: Int
        package var jsonBytes: Int
        package var jsonDepth: Int
        package var jsonValues: Int
        package var snapshotBytes: Int
        package var pageItems: Int
        /// Scenes of a user that hold archives.
        package var scenes: Int
        /// Devices of a user.
        package var devices: Int
        package var interactionAgeSeconds: Int
        package var linkCodeSeconds: Int
        package var tombstoneSeconds: Int
        /// Data sources of an app.
        package var dataSources: Int
        /// Items that a device registers of one data source.
        package var items: Int
        /// Items that a delta names, and identifiers that are resolved at once.
        package var deltaItems: Int
        /// Aliases that the items of a delta have together.
        package var deltaAliases: Int
        package var itemsBytes: Int
        package var itemLinesBytes: Int
        package var itemLineBytes: Int
        package var itemPageItems: Int
        package var identifierBytes: Int
        package var aliasBytes: Int
        /// Aliases of an item.
        package var aliases: Int

        package init(
            archiveBytes: Int, jsonBytes: Int, jsonDepth: Int, jsonValues: Int, snapshotBytes: Int, pageItems: Int,
            scenes: Int, devices: Int, interactionAgeSeconds: Int, linkCodeSeconds: Int, tombstoneSeconds: Int,
            dataSources: Int, items: Int, deltaItems: Int, deltaAliases: Int, itemsBytes: Int, itemLinesBytes: Int,
            itemLineBytes: Int, itemPageItems: Int, identifierBytes: Int, aliasBytes: Int, aliases: Int
        ) {
            self.archiveBytes = archiveBytes
            self.jsonBytes = jsonBytes
            self.jsonDepth = jsonDepth
            self.jsonValues = jsonValues
            self.snapshotBytes = snapshotBytes
            self.pageItems = pageItems
            self.scenes = scenes
            self.devices = devices
            self.interactionAgeSeconds = interactionAgeSeconds
            self.linkCodeSeconds = linkCodeSeconds
            self.tombstoneSeconds = tombstoneSeconds
            self.dataSources = dataSources
            self.items = items
            self.deltaItems = deltaItems
            self.deltaAliases = deltaAliases
            self.itemsBytes = itemsBytes
            self.itemLinesBytes = itemLinesBytes
            self.itemLineBytes = itemLineBytes
            self.itemPageItems = itemPageItems
            self.identifierBytes = identifierBytes
            self.aliasBytes = aliasBytes
            self.aliases = aliases
        }
    }

    package struct Version: Sendable, Hashable, Codable {
        package var name: String
        package var version: String

        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// A problem document (RFC 9457), `application/problem+json`.
    package struct Problem: Sendable, Hashable, Codable {
        /// Where the code is described.
        package var type: String
        package var title: String
        package var status: Int
        package var detail: String
        package var code: String
        /// What exactly is wrong with an archive or a message, as a stable code.
        package var reason: String?
        /// The byte of an archive at which it is wrong.
        package var offset: Int?
        /// The member of the body that is wrong (RFC 6901).
        package var pointer: String?
        /// The query parameter, field or part of the path that is wrong.
        package var parameter: String?
        /// The revision of the scene's head.
        package var head: Int64?
        /// Why the archives of the scene may not be restored, from the head backwards.
        package var candidates: [Candidate]?
        /// How many more candidates were refused than `candidates` tells; absent when it tells all.
        package var omittedCandidates: Int?
        /// Further values that the refusal goes by, such as the two that contradict each other.
        package var details: [String: String]?

        package init(type: String, title: String, status: Int, detail: String, code: String) {
            self.type = type
            self.title = title
            self.status = status
            self.detail = detail
            self.code = code
        }
    }
}
