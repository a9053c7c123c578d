import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let sample = Subcommand(
        name: "sample", summary: "write a sample archive of a photo app, for experiments",
        options: [.idiom, .layout, .bundleVersion, .systemVersion, .stateVersion, .withoutPlace],
        discussion: """
            The archive goes to standard output. Without options the archive is from a phone with a compact layout,
            version 42 of the app and version 17.4 of the system.
            """,
        examples: [
            ("sample > sample.plist", "writes the archive; placekeeper inspect sample.plist prints its contents"),
            (
                "sample --idiom pad --layout regular --without-place > pad.plist",
                "writes an archive that only a pad restores"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        guard isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(
                .usage, "cannot write an archive to a terminal; redirect it: placekeeper sample > sample.plist")
        }
        var context = try arguments.context(idiom: .phone)
        if context.idiom == .phone, context.layout == nil { context.layout = .compact }
        context.bundleVersion = context.bundleVersion ?? "42"
        context.systemVersion = context.systemVersion ?? "17.4"
        let sample = SampleArchive(
            context: context, savedAt: SystemClock().now(), hasPlace: try !arguments.isOn(.withoutPlace))
        try Output.write(sample.encoded())
        return .success
    }
}

extension Option {
    static let withoutPlace = Option("without-place", help: "leave the place out")
}
