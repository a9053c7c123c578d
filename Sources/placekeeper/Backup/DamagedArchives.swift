import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService

/// Archives with damaged bytes, as the commands report them.
struct DamagedArchives {
    var archives: [DamagedArchive]

    /// Compares archives' bytes with their digests.
    static let check = ArchiveCheck(compression: DeflatedBlobs(), hashing: SystemHashing())

    /// The number of damaged archives, with the first one and its user. Scene names are chosen by apps, so they are
    /// left out.
    var text: String {
        let count = archives.count == 1 ? "1 archive is" : "\(archives.count) archives are"
        let first = archives.first.map { ", first \($0.id) of the user \($0.scene.owner.user)" } ?? ""
        return "\(count) damaged\(first)"
    }

    /// Deletes the archives from an open database. The users' devices are notified, as after any other deletion.
    func delete(from opened: Wiring.Opened) async throws(CommandFailure) {
        do throws(ServiceError) {
            for archive in archives { try await opened.service.archives.discard(archive.id, in: archive.scene) }
        } catch {
            let cause = error.cause.map { " (\($0))" } ?? ""
            throw CommandFailure(
                .unavailable, "the damaged archives cannot be deleted: \(clause(error.message))\(cause)")
        }
    }
}
