import PlacekeeperSystem
import PlacekeeperFiles
import PlacekeeperService

/// The link for creating the first administrator in a browser. It works once, and becomes invalid when the service
/// ends.
struct SetUpLink: Sendable {
    private let path: String
    private let report: @Sendable (String) -> Void

    init(directory: String, report: @escaping @Sendable (String) -> Void) {
        path = directory + "/admin-set-up"
        self.report = report
    }

    /// If there is no administrator, shows the link. If standard error isn't a terminal, writes the link to a file and
    /// shows the path instead, because secrets don't belong in a log.
    func show(for service: RestorationService, at origin: String) async {
        remove()
        do throws(ServiceError) {
            guard let secret = try await service.administration.beginSetUp() else { return }
            let link = origin + "/admin/#/set-up/" + secret
            if isatty(STDERR_FILENO) == 1 {
                report("there is no administrator yet; create one with the link \(link)")
            } else if write(link) {
                report("there is no administrator yet; create one with the link in \(quoted(path))")
            } else {
                report("there is no administrator yet; create one with admin create")
            }
        } catch {
            report("cannot create the set-up link: \(error.message)")
        }
    }

    /// Removes the file after an administrator was created, through the link or by a command.
    func removeIfUsed(of service: RestorationService) async throws {
        guard Files.exists(path), try await !service.administration.needsSetUp() else { return }
        remove()
    }

    func remove() { RegularFile.remove(path) }

    /// Writes a new file that only its owner can read. Returns false if it can't be written.
    private func write(_ link: String) -> Bool {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array((link + "\n").utf8)
        let count = PlacekeeperSystem.write(descriptor, bytes, bytes.count)
        if close(descriptor) == 0, count == bytes.count { return true }
        remove()
        return false
    }
}
