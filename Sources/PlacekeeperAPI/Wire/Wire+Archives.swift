extension Wire {
    /// A stored archive without its bytes.
    package struct Archive: Sendable, Hashable, Codable {
        package var id: String
        package var scene: String
        package var device: String
        package var revision: Int64
        package var capturedAt: Time
        package var receivedAt: Time
        package var sequence: Int64?
        package var context: Context
        /// The SHA-256 of the bytes, in hexadecimal.
        package var digest: String
        /// The size in bytes.
        package var size: Int
        /// The titles of the place's steps. Empty if the archive has no place.
        package var place: [String]
        package var objectCount: Int
        package var referenceCount: Int
        package var hasScreenshot: Bool

        package init(
            id: String, scene: String, device: String, revision: Int64, capturedAt: Time, receivedAt: Time,
            sequence: Int64?, context: Context, digest: String, size: Int, place: [String], objectCount: Int,
            referenceCount: Int, hasScreenshot: Bool
        ) {
            self.id = id
            self.scene = scene
            self.device = device
            self.revision = revision
            self.capturedAt = capturedAt
            self.receivedAt = receivedAt
            self.sequence = sequence
            self.context = context
            self.digest = digest
            self.size = size
            self.place = place
            self.objectCount = objectCount
            self.referenceCount = referenceCount
            self.hasScreenshot = hasScreenshot
        }
    }

    /// The body of `POST …/head`, which copies a stored archive as the scene's new head. The client chooses the copy's
    /// `id`.
    package struct NewHead: Sendable, Hashable, Codable {
        package var id: String

        package init(id: String) { self.id = id }
    }

    /// The body of `POST …/outcomes`: the outcome of a restore.
    package struct Outcome: Sendable, Hashable, Codable {
        package struct Result: WireWord {
            package static let began = Self(rawValue: "began")
            package static let restored = Self(rawValue: "restored")
            package static let failed = Self(rawValue: "failed")
            package static let crashed = Self(rawValue: "crashed")
            package static let abandoned = Self(rawValue: "abandoned")
            package static let known = [began, restored, failed, crashed, abandoned]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package var result: Result
        package var idiom: Idiom
        package var layout: Layout?
        package var bundleVersion: String?
        package var systemVersion: String?
        package var stateVersion: Int64?
        /// The ID of the app launch that performed the restore.
        package var launch: String?
        /// The restoration path of the object that failed to restore.
        package var path: String?
        /// The index of the place's first step that was not reached, or the number of steps if all were reached.
        package var step: Int64?
        /// The duration of the restore, in seconds.
        package var duration: Double?

        package init(
            result: Result, idiom: Idiom, layout: Layout? = nil, bundleVersion: String? = nil,
            systemVersion: String? = nil, stateVersion: Int64? = nil, launch: String? = nil, path: String? = nil,
            step: Int64? = nil, duration: Double? = nil
        ) {
            self.result = result
            self.idiom = idiom
            self.layout = layout
            self.bundleVersion = bundleVersion
            self.systemVersion = systemVersion
            self.stateVersion = stateVersion
            self.launch = launch
            self.path = path
            self.step = step
            self.duration = duration
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            result = try members.decode(Result.self, forKey: .result)
            idiom = try members.decode(Idiom.self, forKey: .idiom)
            layout = try members.optional(.layout)
            bundleVersion = try members.optional(.bundleVersion)
            systemVersion = try members.optional(.systemVersion)
            stateVersion = try members.optional(.stateVersion)
            launch = try members.optional(.launch)
            path = try members.optional(.path)
            step = try members.optional(.step)
            duration = try members.optional(.duration)
        }
    }

    /// Why a candidate is not restored automatically and in full: a stable code and the two values that were compared.
    package struct Reason: Sendable, Hashable, Codable {
        package var code: String
        package var archive: String?
        package var required: String?
        package var blocks: Block
        /// The reason as readable text: a clause about the archive. The wording may change.
        package var text: String
        /// The restoration path of the object that failed to restore.
        package var path: String?
        /// The index of the place's step that failed.
        package var step: Int?
        /// The duration of the failed restore, in seconds.
        package var duration: Double?

        /// What a reason rules out: restoring without asking, restoring the full state, or any restore of the archive.
        package struct Block: WireWord {
            package static let automatic = Self(rawValue: "automatic")
            package static let full = Self(rawValue: "full")
            package static let place = Self(rawValue: "place")
            package static let known = [automatic, full, place]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package init(
            code: String, archive: String?, required: String?, blocks: Block, text: String, path: String? = nil,
            step: Int? = nil, duration: Double? = nil
        ) {
            self.code = code
            self.archive = archive
            self.required = required
            self.blocks = blocks
            self.text = text
            self.path = path
            self.step = step
            self.duration = duration
        }
    }

    package struct Candidate: Sendable, Hashable, Codable {
        package var archive: Archive
        package var fidelity: Fidelity
        package var reasons: [Reason]

        package init(archive: Archive, fidelity: Fidelity, reasons: [Reason]) {
            self.archive = archive
            self.fidelity = fidelity
            self.reasons = reasons
        }
    }

    /// Explains which of a scene's archives `latest` chooses for the requesting device.
    package struct Explanation: Sendable, Hashable, Codable {
        package var asked: Context
        /// The ID of the served candidate. Absent if there is none.
        package var served: String?
        /// The candidates, newest first.
        package var candidates: [Candidate]
        /// The revision of the scene's head.
        package var head: Int64?
        /// Explanations of the served archive's first references, at most 200.
        package var references: [ReferenceExplanation]
        /// The number of references in the served archive.
        package var referenceCount: Int

        package init(
            asked: Context, served: String?, candidates: [Candidate], head: Int64?,
            references: [ReferenceExplanation], referenceCount: Int
        ) {
            self.asked = asked
            self.served = served
            self.candidates = candidates
            self.head = head
            self.references = references
            self.referenceCount = referenceCount
        }
    }
}
