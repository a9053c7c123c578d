import Glibc
import RestorationService

extension Subcommand {
    static let sample = Subcommand(
        name: "sample", summary: "write an archive as a photo app would, for trying things out",
        options: [.idiom, .layout, .bundleVersion, .systemVersion, .stateVersion, .withoutPlace],
        discussion: """
            It goes to standard output. Without options it is a phone's, laid out compact, of the app's version 42 on
            system version 17.4.
            """,
        examples: [
            ("sample > sample.plist", "writes it; look at it with placekeeper inspect sample.plist"),
            ("sample --idiom pad --layout regular --without-place > pad.plist", "writes one that only a pad restores"),
        ]
    ) { arguments throws(CommandFailure) in
        guard isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(
                .usage, "an archive is not for a terminal; redirect it: placekeeper sample > sample.plist")
        }
        var context = try arguments.context(idiom: .phone)
        if context.idiom == .phone, context.layout == nil { context.layout = .compact }
        context.bundleVersion = context.bundleVersion ?? "42"
        context.systemVersion = context.systemVersion ?? "17.4"
        let sample = SampleArchive(
            context: context, savedAt: SystemClock.now(), hasPlace: try !arguments.isOn(.withoutPlace))
        try Output.write(sample.encoded())
        return .success
    }
}

extension Option {
    static let withoutPlace = Option("without-place", help: "leave the place out")
}
