import Foundation

extension Wire {
    /// The response to `POST /v1/devices`.
    struct Registered: Decodable {
        /// The device's id.
        var device: String
        var token: String
        var user: String
        var isSignedIn: Bool
    }

    /// The user of this device.
    struct Device: Decodable {
        var user: String
        var isSignedIn: Bool
    }

    /// The response to `POST /v1/link-codes`.
    struct LinkCode: Decodable {
        var code: String
        var expiresAt: Date
    }

    /// A page of a list.
    struct Page<Element: Decodable>: Decodable {
        var items: [Element]
        /// The cursor of the next page. `nil` on the last page.
        var next: String?
    }

    /// The metadata of a stored archive.
    struct Archive: Decodable {
        var id: String
        var scene: String
        var device: String
        var revision: Int64
        var capturedAt: Date
        /// The titles of the place's steps. Empty if the archive has no place.
        var place: [String]
        /// The size in bytes.
        var size: Int
        var hasScreenshot: Bool
    }

    /// The newest archive of one device in one scene.
    struct Place: Decodable {
        /// The device that captured the archive.
        struct Device: Decodable {
            var name: String?
            var model: String?
        }

        var archive: Archive
        /// Absent if the device was revoked.
        var device: Device?
        /// The part of the archive that this device may restore: `full`, `place` or `none`.
        var fidelity: String
        /// Whether the archive is the scene's head: the newest archive of all devices.
        var isHead: Bool
    }

    struct Manifest: Decodable {
        /// The operator's setting: `auto`, `offer` or `off`.
        var restoration: String
    }

    struct DataSource: Decodable {
        var scope: String
        /// The state of this device's registration. Absent if the scope is not `registered`.
        var registration: RegistrationState?
    }

    /// The state of a device's registration. Registrations with the same digest contain the same items.
    struct RegistrationState: Sendable, Decodable {
        var cursor: Int64
        /// The digest of the registered items: 32 hexadecimal digits.
        var digest: String
        var count: Int
    }

    /// A registered item. Also stored in the client's files.
    struct Item: Sendable, Codable {
        var identifier: String
        var aliases: [String]?
        var position: Int64?
    }

    /// A problem document (RFC 9457).
    struct Problem: Decodable {
        /// An archive that the service refuses to serve.
        struct Candidate: Decodable {
            var reasons: [Reason]
        }

        /// Why an archive is not served: a stable code, and the two compared values.
        struct Reason: Decodable {
            var code: String
            var archive: String?
            var required: String?
            /// What the reason excludes: `automatic` restores, the `full` state, or also the `place`.
            var blocks: String?
        }

        var status: Int
        var detail: String
        var code: String
        /// The scene's archives, newest first.
        var candidates: [Candidate]?
    }
}
