extension Wire {
    /// The place of a restorable archive, for clients that can't read archives.
    package struct RestorablePlace: Sendable, Hashable, Codable {
        /// The scene's head, which is newer than this archive.
        package struct Superseded: Sendable, Hashable, Codable {
            /// The revision of the newer archive.
            package var head: Int64
            /// The time between the captures of the two archives, in whole seconds.
            package var seconds: Int64

            package init(head: Int64, seconds: Int64) {
                self.head = head
                self.seconds = seconds
            }
        }

        /// A screen on the route.
        package struct Step: Sendable, Hashable, Codable {
            package var screen: String
            package var title: String?
            package var parameters: [String: Value]
            package var references: [Reference]
            /// How far the user was in the step's items, from 0 to 1, such as 0.42 of a book. Absent if the app reported no
            /// progress.
            package var progress: Double?

            package init(
                screen: String, title: String?, parameters: [String: Value], references: [Reference],
                progress: Double? = nil
            ) {
                self.screen = screen
                self.title = title
                self.parameters = parameters
                self.references = references
                self.progress = progress
            }
        }

        package var archive: Archive
        /// The part of the archive that the device may restore.
        package var fidelity: Fidelity
        package var superseded: Superseded?
        /// The code of the reason why the app should only offer the place.
        package var caution: String?
        /// The place's address on the app's website.
        package var webAddress: String?
        /// The steps from the first screen to the frontmost screen. Empty if the archive has no place.
        package var steps: [Step]
        /// The number of references omitted because of their size. Absent if none are omitted.
        package var omittedReferences: Int?

        package init(
            archive: Archive, fidelity: Fidelity, superseded: Superseded?, caution: String? = nil, webAddress: String?,
            steps: [Step],
            omittedReferences: Int?
        ) {
            self.archive = archive
            self.fidelity = fidelity
            self.superseded = superseded
            self.caution = caution
            self.webAddress = webAddress
            self.steps = steps
            self.omittedReferences = omittedReferences
        }
    }
}
