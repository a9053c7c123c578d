public import Foundation

extension KeptScene {
    /// A stored state of a scene, without its content.
    public struct Entry: Sendable, Equatable {
        /// The archive's id, a UUID.
        public var id: String
        /// The revision.
        public var revision: Int64
        /// Whether this device captured the archive.
        public var isOwn: Bool
        /// The time of the user's last interaction, by the service's clock.
        public var capturedAt: Date
        /// The titles of the screens.
        public var titles: [String]
        /// The size in bytes.
        public var size: Int
        /// The number of the state's owner.
        package let owner: Int
    }
}
