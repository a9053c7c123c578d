package import PlacekeeperCore

extension TransferRow {
    /// Compares an archive's bytes with its digest from the upload. Throws `corrupt` if they differ. The row must have
    /// the columns of the table `archive`.
    func checkArchive(_ hashing: some Hashing) throws(StoreError) {
        guard case .bytes(let bytes)? = value(Self.bytes), case .bytes(let digest)? = value(Self.digest),
            hashing.sha256(bytes).bytes == digest
        else { throw damagedArchive }
    }

    /// The error for an archive with damaged bytes. The row must have at least the first columns of the table
    /// `archive`.
    package var damagedArchive: StoreError {
        StoreError(
            .corrupt,
            "The archive \(text(Self.uuid)) of the user \(text(Self.owner)) is damaged, so nothing was transferred. Delete it, and repeat the command. In SQLite, a backup that is restored with --drop-damaged leaves out all damaged archives."
        )
    }

    private static let (uuid, owner) = (index(of: "uuid"), index(of: "owner"))
    private static let (digest, bytes) = (index(of: "digest"), index(of: "bytes"))

    private static func index(of column: String) -> Int? {
        TransferTable.archive.columns.firstIndex { $0.name == column }
    }

    private func value(_ column: Int?) -> TransferValue? { column.flatMap { indices.contains($0) ? self[$0] : nil } }

    /// Returns an identifier as text.
    private func text(_ column: Int?) -> String {
        guard case .bytes(let bytes)? = value(column), bytes.count == 16 else { return "" }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return ArchiveID(high: word(bytes[..<8]), low: word(bytes[8...])).description
    }
}
