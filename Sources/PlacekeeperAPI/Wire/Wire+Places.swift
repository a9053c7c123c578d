extension Wire {
    /// A place that the person may continue: the head of a device in a scene.
    package struct Place: Sendable, Hashable, Codable {
        package var archive: Archive
        /// Absent when the device was revoked: its archives stay.
        package var device: Device?
        /// For the device that asks.
        package var fidelity: Fidelity
        /// Whether it is the head over all devices.
        package var isHead: Bool

        package init(archive: Archive, device: Device?, fidelity: Fidelity, isHead: Bool) {
            self.archive = archive
            self.device = device
            self.fidelity = fidelity
            self.isHead = isHead
        }
    }

    /// What a client compares with what it has: the operator's switch, and the head of each scene.
    package struct Manifest: Sendable, Hashable, Codable {
        package enum Restoration: String, WireChoice {
            case auto, offer, off
        }

        package struct Scene: Sendable, Hashable, Codable {
            package var name: String
            /// The revision of its head.
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

        /// The user's latest revision: where to read changes from.
        package var revision: Int64
        package var restoration: Restoration
        package var allowsSnapshots: Bool
        /// In the order of their names.
        package var scenes: [Scene]
        /// The cursor that the next scenes are asked for with; nil on the last page.
        package var next: String?

        package init(
            revision: Int64, restoration: Restoration, allowsSnapshots: Bool, scenes: [Scene], next: String? = nil
        ) {
            self.revision = revision
            self.restoration = restoration
            self.allowsSnapshots = allowsSnapshots
            self.scenes = scenes
            self.next = next
        }
    }

    /// An entry of the user's change log; also the data of an event.
    package struct Change: Sendable, Hashable, Codable {
        package enum Kind: String, WireChoice {
            case archiveStored, archiveDeleted, sceneForgotten, outcomeReported, deviceRegistered, deviceRevoked
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

    /// The data of a `reset` event: what was kept is pruned, begin anew from the manifest.
    package struct Reset: Sendable, Hashable, Codable {
        package var revision: Int64

        package init(revision: Int64) { self.revision = revision }
    }
}
