extension Wire {
    /// A place where the user can continue: a device's newest archive in a scene.
    package struct Place: Sendable, Hashable, Codable {
        package var archive: Archive
        /// The device that captured the archive. Absent if the device was revoked, because its archives are kept.
        package var device: Device?
        /// The part of the archive that the requesting device may restore.
        package var fidelity: Fidelity
        /// Whether the archive is the scene's head, which is the newest archive of all devices.
        package var isHead: Bool

        package init(archive: Archive, device: Device?, fidelity: Fidelity, isHead: Bool) {
            self.archive = archive
            self.device = device
            self.fidelity = fidelity
            self.isHead = isHead
        }
    }

    /// The manifest: the operator's restoration setting and the head of each scene.
    package struct Manifest: Sendable, Hashable, Codable {
        package struct Restoration: WireWord {
            package static let auto = Self(rawValue: "auto")
            package static let offer = Self(rawValue: "offer")
            package static let off = Self(rawValue: "off")
            package static let known = [auto, offer, off]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package struct Scene: Sendable, Hashable, Codable {
            package var name: String
            /// The revision of the scene's head.
            package var head: Int64
            package var archive: String
            package var device: String
            package var capturedAt: Time

            package init(name: String, head: Int64, archive: String, device: String, capturedAt: Time) {
                self.name = name
                self.head = head
                self.archive = archive
                self.device = device
                self.capturedAt = capturedAt
            }
        }

        /// The user's latest revision. Clients then read the changes after it.
        package var revision: Int64
        package var restoration: Restoration
        package var allowsScreenshots: Bool
        /// The scenes, sorted by name.
        package var scenes: [Scene]
        /// The cursor of the next page, or nil on the last page.
        package var next: String?

        package init(
            revision: Int64, restoration: Restoration, allowsScreenshots: Bool, scenes: [Scene], next: String? = nil
        ) {
            self.revision = revision
            self.restoration = restoration
            self.allowsScreenshots = allowsScreenshots
            self.scenes = scenes
            self.next = next
        }
    }

    /// An entry of the user's change log, and the data of the corresponding event.
    package struct Change: Sendable, Hashable, Codable {
        package struct Kind: WireWord {
            package static let archiveStored = Self(rawValue: "archiveStored")
            package static let archiveDeleted = Self(rawValue: "archiveDeleted")
            package static let sceneForgotten = Self(rawValue: "sceneForgotten")
            package static let outcomeReported = Self(rawValue: "outcomeReported")
            package static let deviceRegistered = Self(rawValue: "deviceRegistered")
            package static let deviceCopied = Self(rawValue: "deviceCopied")
            package static let deviceRevoked = Self(rawValue: "deviceRevoked")
            package static let known = [
                archiveStored, archiveDeleted, sceneForgotten, outcomeReported, deviceRegistered, deviceRevoked,
                deviceCopied,
            ]
            package let rawValue: String

            package init(rawValue: String) { self.rawValue = rawValue }
        }

        package var revision: Int64
        package var kind: Kind
        package var scene: String?
        package var archive: String?
        package var device: String?
        package var at: Time

        package init(revision: Int64, kind: Kind, scene: String?, archive: String?, device: String?, at: Time) {
            self.revision = revision
            self.kind = kind
            self.scene = scene
            self.archive = archive
            self.device = device
            self.at = at
        }
    }

    /// The data of a `reset` event, which means that changes the client hasn't received were pruned. The client starts
    /// over from the manifest.
    package struct Reset: Sendable, Hashable, Codable {
        package var revision: Int64

        package init(revision: Int64) { self.revision = revision }
    }
}
