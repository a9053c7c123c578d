import KeyedArchive

extension Subcommand {
    static let inspect = Subcommand(
        name: "inspect", summary: "print what a keyed archive holds",
        operands: ["FILE"], options: [.json],
        discussion: """
            FILE is any binary property list of a keyed archiver, or - for standard input; at most 16 MiB. Classes are
            names: nothing of it is ever made. Exit code 1, with what is wrong and at which byte, when it is refused.
            """,
        examples: [
            ("inspect data.data", "prints it: restoration classes, the top level, then each object"),
            ("inspect data.data --json", "prints it as JSON"),
        ]
    ) { arguments throws(CommandFailure) in
        let inspection = try Files.inspection(of: arguments.operands[0])
        try Output.print(arguments.isOn(.json) ? inspection.json : inspection.description)
        return .success
    }

    static let diff = Subcommand(
        name: "diff", summary: "tell what differs between two keyed archives",
        operands: ["A", "B"], options: [.json],
        discussion: """
            What they mean is compared, not their bytes: by section and key; in archives of other apps by the numbers
            of objects. Exit code 0 when they mean the same, 1 when they differ, or, with a line on standard error, when
            one of them cannot be read.
            """,
        examples: [
            ("diff before.plist after.plist", "prints - for what is gone, + for what is new, ~ for what changed"),
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
    /// Larger than any upload may be, for archives that come from elsewhere.
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
