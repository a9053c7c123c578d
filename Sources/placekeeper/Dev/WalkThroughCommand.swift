import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let walkThrough = Subcommand(
        name: "walk-through", summary: "print a walk-through of a running service, to paste into a shell",
        operands: ["APP"], options: [.listen, .url, .data, .database, .databasePassword],
        discussion: """
            APP is the app's bundle identifier. The lines play two phones and a pad of one user with curl and this
            command: one phone uploads its state, the other phone gets the full state, and the pad gets the place. They
            add devices of a new anonymous user to the app.
            """,
        examples: [
            ("walk-through com.example.photos > walk.sh", "writes the lines into a file, for sh walk.sh")
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            guard try arguments.url() != nil || arguments.serviceAnswers else {
                throw CommandFailure(
                    .unavailable,
                    "no service answers at \(arguments.serviceURL); start it with systemctl start placekeeper or placekeeper serve"
                )
            }
            let program = realPath("/proc/self/exe") ?? CommandLine.arguments[0]
            let data = arguments.value(of: .data) ?? ""
            let settings = [
                ("S", arguments.serviceURL), ("P", program), ("A", app.bundleIdentifier), ("K", app.publishableKey),
                ("F", realPath(data) ?? data),
            ]
            let lines = settings.map { "\($0)=\(shellQuoted($1))\n" }.joined()
            let others = arguments.flagText(of: [.config, .database, .databasePassword])
            try Output.print(lines + script.split(separator: " $O").joined(separator: others))
            return .success
        }
    }

    /// The lines contain neither comments nor `!`, which interactive shells treat differently.
    private static let script = #"""
        D=$(mktemp -d)
        json='Content-Type: application/json'
        field() { sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }
        headers() { grep -i -e '^HTTP' -e '^Placekeeper-' -e '^Head-Revision'; }

        echo '--- A phone registers. It creates a link code for each further device of its user.'
        curl -sS "$S/v1/devices" -H "$json" -d '{"app": "'"$K"'", "idiom": "phone", "name": "Phone"}' > "$D/phone.json"
        phone=$(field token < "$D/phone.json")
        user=$(field user < "$D/phone.json")
        code() { curl -sS -X POST "$S/v1/link-codes" -H "Authorization: Bearer $phone" | field code; }
        join() { curl -sS "$S/v1/devices" -H "$json" -d '{"app": "'"$K"'", "idiom": "'"$1"'", "name": "'"$2"'", "linkCode": "'"$(code)"'"}' | field token; }
        pad=$(join pad Pad)
        other=$(join phone 'Other phone')

        echo '--- The phone uploads its state: a photo app, version 42, with a photo open.'
        "$P" sample --bundle-version 42 --state-version 2 > "$D/phone.plist"
        "$P" inspect "$D/phone.plist"
        curl -sS -D - -o /dev/null -T "$D/phone.plist" -H 'Expect:' -H "Authorization: Bearer $phone" "$S/v1/scenes/main/archives/0b6e1f52-5d5c-4c8e-9f0a-6a3d1c2b7e94" | headers

        echo '--- The photo has other identifiers on the other devices. Each registers its own once, with the shared alias.'
        curl -sS -X PUT "$S/v1/data-sources/photos" -H "$json" -H "Authorization: Bearer $phone" -d '{"scope": "registered"}'; echo
        register() { curl -sS -X PATCH "$S/v1/data-sources/photos/items" -H "$json" -H "Authorization: Bearer $1" -d '{"upserts": [{"identifier": "'"$2"'", "aliases": ["sha256:4fb3a1"]}]}'; echo; }
        register "$other" row-7
        register "$pad" item-31

        echo '--- The other phone requests the latest archive. It gets the full state, in which the photo is row-7.'
        curl -sS -D - -o "$D/other.plist" -H "Authorization: Bearer $other" "$S/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42" | headers
        "$P" diff "$D/phone.plist" "$D/other.plist"

        echo '--- The pad requests it too. Its layout is different: it gets only the place, in which the photo is item-31.'
        curl -sS -D - -o "$D/pad.plist" -H "Authorization: Bearer $pad" "$S/v1/scenes/main/archives/latest?idiom=pad&bundleVersion=42" | headers
        "$P" inspect "$D/pad.plist" | sed -n -e '/^Place/,/^$/p' -e '/^Model/,/^$/p'

        echo '--- A phone with version 41 of the app requests it. It gets only the place.'
        curl -sS -D - -o /dev/null -H "Authorization: Bearer $other" "$S/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=41" | headers
        echo '--- The same phone says that its state version is 1. The service refuses, and gives the reason.'
        curl -sS -H "Authorization: Bearer $other" "$S/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=41&stateVersion=1"
        echo
        echo '--- The same decision, explained to the operator of the service.'
        "$P" explain "$A" --data "$F" $O --user "$user" --idiom phone --bundle-version 41 --state-version 1 || true
        """#
}

/// Resolves the links in a path. Nil if nothing is there.
private func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}
