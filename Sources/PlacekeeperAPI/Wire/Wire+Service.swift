extension Wire {
    /// The response to `GET /v1/limits`: request limits in bytes, counts and seconds.
    package struct Limits: Sendable, Hashable, Codable {
        package var archiveBytes: Int
        package var jsonBytes: Int
        package var jsonDepth: Int
        package var jsonValues: Int
        package var screenshotBytes: Int
        package var pageItems: Int
        /// The maximum number of scenes with archives per user.
        package var scenes: Int
        /// The maximum number of devices per user.
        package var devices: Int
        package var interactionAgeSeconds: Int
        package var linkCodeSeconds: Int
        package var tombstoneSeconds: Int
        /// The maximum number of data sources per app.
        package var dataSources: Int
        /// The maximum number of items a device can register for one data source.
        package var items: Int
        /// The maximum number of items in a delta or of identifiers in a resolve request.
        package var deltaItems: Int
        /// The maximum total number of aliases of all items in a delta.
        package var deltaAliases: Int
        package var itemsBytes: Int
        package var itemLineBytes: Int
        package var itemPageItems: Int
        package var identifierBytes: Int
        package var aliasBytes: Int
        /// The maximum number of aliases per item.
        package var aliases: Int
        /// The maximum number of changes by which a reader's cursor may lag behind.
        package var changes: Int
        /// The app's quotas. Nil if the request has no token.
        package var quotas: Quotas?
        /// How much data the requesting device's user stores. Nil if the request has no token.
        package var usage: Usage?

        package init(
            archiveBytes: Int, jsonBytes: Int, jsonDepth: Int, jsonValues: Int, screenshotBytes: Int, pageItems: Int,
            scenes: Int, devices: Int, interactionAgeSeconds: Int, linkCodeSeconds: Int, tombstoneSeconds: Int,
            dataSources: Int, items: Int, deltaItems: Int, deltaAliases: Int, itemsBytes: Int,
            itemLineBytes: Int, itemPageItems: Int, identifierBytes: Int, aliasBytes: Int, aliases: Int,
            changes: Int
        ) {
            self.archiveBytes = archiveBytes
            self.jsonBytes = jsonBytes
            self.jsonDepth = jsonDepth
            self.jsonValues = jsonValues
            self.screenshotBytes = screenshotBytes
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
            self.itemLineBytes = itemLineBytes
            self.itemPageItems = itemPageItems
            self.identifierBytes = identifierBytes
            self.aliasBytes = aliasBytes
            self.aliases = aliases
            self.changes = changes
        }
    }

    package struct Version: Sendable, Hashable, Codable {
        package var name: String
        package var version: String
        /// Nil from a service that doesn't report it.
        package var request: Request?

        package init(name: String, version: String, request: Request? = nil) {
            self.name = name
            self.version = version
            self.request = request
        }

        /// What the service knows of the client that asked.
        package struct Request: Sendable, Hashable, Codable {
            /// The client's address, by which the service limits it.
            package var address: String
            /// Whether a trusted proxy sent the address.
            package var isForwarded: Bool
            /// `https` if a trusted proxy said so, otherwise `http`.
            package var scheme: String
            /// The host and port that the request names. Nil if it names none.
            package var host: String?

            package init(address: String, isForwarded: Bool, scheme: String, host: String?) {
                self.address = address
                self.isForwarded = isForwarded
                self.scheme = scheme
                self.host = host
            }
        }
    }

    /// A problem document (RFC 9457), `application/problem+json`.
    package struct Problem: Sendable, Hashable, Codable {
        /// A link to the description of the code.
        package var type: String
        package var title: String
        package var status: Int
        package var detail: String
        package var code: String
        /// A stable code for the error in an archive or an HTTP message.
        package var reason: String?
        /// The byte offset of the error in the archive or the JSON body.
        package var offset: Int?
        /// The JSON pointer (RFC 6901) to the invalid member of the body.
        package var pointer: String?
        /// The name of the invalid query parameter, header field or part of the path.
        package var parameter: String?
        /// The revision of the scene's head.
        package var head: Int64?
        /// The scene's archives, newest first, with the reasons why each may not be restored.
        package var candidates: [Candidate]?
        /// The number of refused candidates omitted from `candidates`. Absent if none are omitted.
        package var omittedCandidates: Int?
        /// Values that describe the problem, for example two contradictory values.
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
