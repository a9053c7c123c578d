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
            ("inspect sample.plist", "prints it, keys sorted"),
            ("inspect data.data --json", "prints it as JSON: $class and $number of objects, $again for those told"),
        ]
    ) { arguments throws(CommandFailure) in
        let inspection = try Files.inspection(of: arguments.operands[0])
        if try arguments.isOn(.json) {
            try Output.json(inspection.json)
        } else {
            Output.print(inspection.text)
        }
        return .success
    }
}

extension Files {
    /// Larger than any upload may be, for archives that come from elsewhere.
    private static let archiveLimit = 16 << 20

    static func inspection(of path: String) throws(CommandFailure) -> Inspection {
        let bytes = try read(path, limit: archiveLimit)
        let limits = BinaryPropertyList.Limits(maximumByteCount: archiveLimit)
        do throws(ArchiveError) {
            let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
            let isOwn = try ArchiveSummary(reader).formatVersion != nil
            return isOwn ? Inspection(try StateArchive(reading: bytes, limits: limits)) : Inspection(reader)
        } catch {
            throw CommandFailure(.failure, "\(quoted(path)) is refused: \(error)")
        }
    }
}
