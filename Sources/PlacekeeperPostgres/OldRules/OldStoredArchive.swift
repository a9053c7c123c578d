package import PlacekeeperService

extension OldMemoryStore {
    /// An archive with its bytes, its snapshot, its outcomes and its servings. A copy shares them until one of the copies
    /// is changed, because a write copies all archives of its scene.
    ///
    /// `@unchecked Sendable`: `own` copies the contents before a change, unless only this value refers to them.
    package struct StoredArchive: @unchecked Sendable {
        private final class Contents {
            var archive: Archive
            var bytes: [UInt8]
            var snapshot: Snapshot?
            var snapshotSize = 0
            var outcomes: [Outcome] = []
            var served: [DeviceID: Timestamp] = [:]

            init(_ archive: Archive, _ bytes: [UInt8]) {
                self.archive = archive
                self.bytes = bytes
            }

            init(copying other: Contents) {
                archive = other.archive
                bytes = other.bytes
                snapshot = other.snapshot
                snapshotSize = other.snapshotSize
                outcomes = other.outcomes
                served = other.served
            }
        }

        private var contents: Contents

        package init(archive: Archive, bytes: [UInt8]) { contents = Contents(archive, bytes) }

        /// The contents, which no other value shares.
        private var own: Contents {
            mutating get {
                if !isKnownUniquelyReferenced(&contents) { contents = Contents(copying: contents) }
                return contents
            }
        }

        package var archive: Archive {
            _read { yield contents.archive }
            _modify { yield &own.archive }
        }
        package var bytes: [UInt8] {
            _read { yield contents.bytes }
            _modify { yield &own.bytes }
        }
        package var snapshot: Snapshot? {
            _read { yield contents.snapshot }
            _modify { yield &own.snapshot }
        }
        /// The number of bytes of the snapshot.
        package var snapshotSize: Int {
            get { contents.snapshotSize }
            set { own.snapshotSize = newValue }
        }
        package var outcomes: [Outcome] {
            _read { yield contents.outcomes }
            _modify { yield &own.outcomes }
        }
        /// The time at which each device was first served the archive.
        package var served: [DeviceID: Timestamp] {
            _read { yield contents.served }
            _modify { yield &own.served }
        }

        /// Whether two values share their contents, because neither was changed.
        package func isSame(as other: StoredArchive) -> Bool { contents === other.contents }

        var usage: Usage { Usage(bytes: contents.archive.size + contents.snapshotSize, archives: 1) }
    }
}
