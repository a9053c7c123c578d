import KeyedArchive

extension Subcommand {
    static let inspect = Subcommand(
        name: "inspect", summary: "print the contents of a keyed archive",
        operands: ["FILE"], options: [.json],
        discussion: """
            FILE is any binary property list of a keyed archiver, or - for standard input. The limit is 16 MiB. Classes
            are only printed by name: no object is created. Exit code 1 if the archive is refused; the error says why,
            and at which byte.
            """,
        examples: [
            ("inspect data.data", "prints the restoration classes, the top level, and each object"),
            ("inspect data.data --json", "prints the same as JSON"),
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
            The contents are compared, not the bytes: by section and key, or by the numbers of objects in archives that
            are not Placekeeper's. Exit code 0 if the contents are equal, and 1 if they differ or if an archive cannot
            be read; in the latter case standard error says why.
            """,
        examples: [
            ("diff before.plist after.plist", "marks removed entries with -, new ones with +, changed ones with ~"),
            ("diff before.plist after.plist --json", "prints the changes as an array"),
        ]
    ) { arguments throws(CommandFailure) in
        let difference = ArchiveDifference(
            from: try Files.inspection(of: arguments.operands[0]), to: try Files.inspection(of: arguments.operands[1]))
        try Output.print(arguments.isOn(.json) ? difference.json : difference.description)
        return difference.changes.isEmpty ? .success : .failure
    }
}

extension Files {
    /// The size limit of a file in bytes. It is larger than the upload limit, because other programs' archives may be.
    private static let archiveLimit = 16 << 20

    fileprivate static func inspection(of path: String) throws(CommandFailure) -> ArchiveInspection {
        let bytes = try read(path, limit: archiveLimit)
        do throws(ArchiveError) {
            return try ArchiveInspection(reading: bytes, limits: .init(maximumByteCount: archiveLimit))
        } catch {
            throw CommandFailure(.failure, "\(quoted(path)) is refused: \(error)")
        }
    }
}
