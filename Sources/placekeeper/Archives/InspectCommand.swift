import PlacekeeperArchive

extension Subcommand {
    static let inspect = Subcommand(
        name: "inspect", summary: "print the contents of a keyed archive",
        operands: ["FILE"], options: [.json],
        discussion: """
            FILE is any binary property list of a keyed archiver, or - for standard input. The size limit is 16 MiB.
            Only the names of classes are printed: no object is created. Exit code 1 means that the archive is refused:
            the error gives the reason and the byte.
            """,
        examples: [
            ("inspect data.data", "prints the restoration classes, the top level, and each object"),
            ("inspect data.data --json", "prints the same contents as JSON"),
        ]
    ) { arguments throws(CommandFailure) in
        let inspection = try Files.inspection(of: arguments.operands[0])
        try Output.print(arguments.isOn(.json) ? inspection.json : inspection.description)
        return .success
    }

    static let diff = Subcommand(
        name: "diff", summary: "print the differences between two keyed archives",
        operands: ["A", "B"], options: [.json],
        discussion: """
            The command compares the contents by section and key, not the bytes. In archives that are not
            Placekeeper's, it compares objects by their numbers. Exit code 0 means that the contents are equal. Exit
            code 1 means that the contents differ or that an archive cannot be read. If an archive cannot be read,
            standard error says the reason.
            """,
        examples: [
            ("diff before.plist after.plist", "marks removed entries with -, new entries with +, and changes with ~"),
            ("diff before.plist after.plist --json", "prints the changes as an array"),
        ]
    ) { arguments throws(CommandFailure) in
        let before = try Files.inspection(of: arguments.operands[0])
        let after = try Files.inspection(of: arguments.operands[1])
        let difference: ArchiveDifference
        do throws(ArchiveError) {
            difference = try ArchiveDifference(from: before, to: after, limit: Files.archiveLimit * 16)
        } catch {
            throw CommandFailure(
                .failure, "The archives cannot be compared: the names of their sections and keys are too long.")
        }
        try Output.print(arguments.isOn(.json) ? difference.json : difference.description)
        return difference.changes.isEmpty ? .success : .failure
    }
}

extension Files {
    /// The size limit of a file in bytes. It is above the upload limit, because archives of other programs may be
    /// larger.
    fileprivate static let archiveLimit = 16 << 20

    fileprivate static func inspection(of path: String) throws(CommandFailure) -> ArchiveInspection {
        let bytes = try read(path, limit: archiveLimit)
        do throws(ArchiveError) {
            return try ArchiveInspection(reading: bytes, limits: .init(maximumByteCount: archiveLimit))
        } catch {
            throw CommandFailure(.failure, "\(quoted(path)) is refused: \(error)")
        }
    }
}
