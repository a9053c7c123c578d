import PlacekeeperCore

/// Validates texts and settings in requests.
enum Validation {
    /// Checks that a scene name consists of 1 to 64 of the characters `[A-Za-z0-9._-]`.
    static func sceneName(_ name: String) throws(ServiceError) {
        guard TextForm.isName(name, limit: Limits.sceneName) else {
            throw ServiceError(
                .sceneNameInvalid, "A scene's name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -.")
        }
    }

    /// Checks that a data source name consists of 1 to 64 of the characters `[A-Za-z0-9._-]`.
    static func dataSourceName(_ name: String) throws(ServiceError) {
        guard TextForm.isName(name, limit: Limits.dataSourceName) else {
            throw ServiceError(
                .dataSourceNameInvalid, "A data source's name has 1 to 64 of the characters A–Z a–z 0–9 . _ and -.")
        }
    }

    /// Checks the kinds of aliases that a data source declares unique.
    static func declaration(_ source: DataSource) throws(ServiceError) {
        let kinds = source.uniqueAliases
        let areKinds = kinds.allSatisfy { kind in
            !kind.isEmpty && TextForm.isPlain(kind, limit: Limits.aliasKind)
                && !kind.utf8.contains { ":,".utf8.contains($0) }
        }
        guard areKinds, kinds.count <= Limits.uniqueAliases else {
            throw ServiceError(
                .declarationInvalid,
                "A data source has at most \(Limits.uniqueAliases) kinds of unique aliases. A kind has 1 to "
                    + "\(Limits.aliasKind) bytes, no colon, no comma and no control characters.",
                member: ["uniqueAliases"])
        }
    }

    static func identifier(_ text: String, at member: @autoclosure () -> [ServiceError.MemberStep]) throws(ServiceError)
    {
        guard !text.isEmpty, TextForm.isPlain(text, limit: Limits.identifier) else {
            throw ServiceError(
                .identifierInvalid, "An identifier has 1 to \(Limits.identifier) bytes and no control characters.",
                member: member())
        }
    }

    static func alias(_ text: String, at member: @autoclosure () -> [ServiceError.MemberStep]) throws(ServiceError) {
        guard !text.isEmpty, TextForm.isPlain(text, limit: Limits.alias) else {
            throw ServiceError(
                .aliasInvalid, "An alias has 1 to \(Limits.alias) bytes and no control characters.",
                member: member())
        }
    }

    /// Checks that a bundle identifier consists of at least two dot-separated parts of letters, digits and hyphens.
    static func bundleIdentifier(_ text: String) throws(ServiceError) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let isValid =
            text.utf8.count <= Limits.bundleIdentifier && parts.count >= 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { TextForm.isNameByte($0) && $0 != 0x5F } }
        guard isValid else {
            throw ServiceError(
                .bundleIdentifierInvalid,
                "A bundle identifier has the form com.example.photos and at most 155 characters.")
        }
    }

    /// Checks a device's name or model. `member` is the name of the request member with the text.
    static func deviceText(_ text: String?, member: String) throws(ServiceError) {
        guard let text else { return }
        guard TextForm.isPlain(text, limit: Limits.deviceText) else {
            throw ServiceError(
                .deviceTextInvalid, "A device's \(member) has at most 128 bytes and no control characters.",
                member: [.name(member)])
        }
    }

    static func context(_ context: Context) throws(ServiceError) {
        for (member, version) in [
            ("bundleVersion", context.bundleVersion), ("systemVersion", context.systemVersion),
        ] {
            guard let version, !isVersion(version) else { continue }
            throw ServiceError(.contextInvalid, versionForm, details: ["member": member])
        }
    }

    static func outcome(_ details: Outcome.Details) throws(ServiceError) {
        if let path = details.path, path.isEmpty || !TextForm.isPlain(path, limit: Limits.restorationPath) {
            throw ServiceError(
                .outcomeInvalid,
                "A restoration path has 1 to \(Limits.restorationPath) bytes and no control characters.",
                member: ["path"])
        }
        if let step = details.step, !Limits.placeStep.contains(step) {
            throw ServiceError(
                .outcomeInvalid, "A step's index is from 0 to \(Limits.placeStep.upperBound).", member: ["step"])
        }
        if let duration = details.duration, !Limits.restoreDuration.contains(duration) {
            throw ServiceError(
                .outcomeInvalid, "The duration of a restore is from 0 to 86400 seconds.", member: ["duration"])
        }
    }

    static func settings(_ settings: App.Settings) throws(ServiceError) {
        let policy = settings.policy
        let idioms = policy.acceptedIdioms.flatMap { [$0.key] + $0.value }
        if let unknown = idioms.first(where: { Idiom(name: $0) == nil }) {
            throw ServiceError(.settingsInvalid, "The policy names an unknown idiom.", details: ["idiom": unknown])
        }
        if let age = policy.maximumAge, age.duration > Limits.maximumAge {
            throw ServiceError(.settingsInvalid, "The maximum age can be at most 36500d.")
        }
        if let lifetime = settings.tokenLifetime, !Limits.tokenLifetime.contains(lifetime.duration) {
            throw ServiceError(.settingsInvalid, "A sign-in can expire after 7d to 3650d.", member: ["tokenLifetime"])
        }
        if let minimum = policy.minimumBundleVersion, !isVersion(minimum) {
            throw ServiceError(.settingsInvalid, versionForm)
        }
        try signIn(settings.signIn)
        try webOrigins(settings.webOrigins)
        guard Limits.retainedArchives.contains(settings.retainedArchives) else {
            throw ServiceError(.settingsInvalid, "The number of retained archives must be between 1 and 1000.")
        }
        let limits = settings.rateLimits
        let bursts = [limits.deviceBurst, limits.userBurst, limits.appBurst, limits.registrationBurst]
        let rates = [limits.devicePerSecond, limits.userPerSecond, limits.appPerSecond ?? 1]
        guard bursts.allSatisfy(Limits.requestBurst.contains), rates.allSatisfy(Limits.requestsPerSecond.contains),
            Limits.registrationsPerDay.contains(limits.registrationsPerDay)
        else {
            throw ServiceError(
                .settingsInvalid,
                """
                Bursts and rates of requests must be between 1 and 1000000, and registrations per day between 1 and \
                100000000.
                """)
        }
        try quotas(settings.quotas)
        try breaker(settings.breaker)
        try stoppedRestores(settings.stoppedRestores)
    }

    private static func webOrigins(_ origins: [String]) throws(ServiceError) {
        guard origins.count <= Limits.webOrigins else {
            throw ServiceError(
                .settingsInvalid, "An app can have at most \(Limits.webOrigins) origins of web pages.",
                member: ["webOrigins"])
        }
        for (index, origin) in origins.enumerated() where !WebOrigin.isValid(origin) {
            throw ServiceError(
                .settingsInvalid,
                correction(of: origin).map { "An origin \($0.fault): write \($0.origin)." }
                    ?? "An origin has the form that a browser sends, such as https://reader.example or "
                    + "http://localhost:5173: in lower case, without a path, and without the usual port.",
                member: ["webOrigins", .index(index)])
        }
    }

    /// Returns what is wrong with an origin, and the origin that was probably meant.
    private static func correction(of text: String) -> (fault: String, origin: String)? {
        var origin = text.lowercased()
        var fault = origin == text ? "must leave out the usual port" : "must be in lower case"
        if !origin.contains("://") { (origin, fault) = ("https://" + origin, "needs a scheme") }
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 3 {
            (origin, fault) = (parts[..<3].joined(separator: "/"), "must end after its host")
        }
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            origin.removeLast(port.count)
        }
        return WebOrigin.isValid(origin) ? (fault, origin) : nil
    }

    private static func breaker(_ breaker: App.Settings.Breaker) throws(ServiceError) {
        func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(ServiceError) {
            guard !range.contains(value) else { return }
            throw ServiceError(
                .settingsInvalid, "\(name) must be between \(range.lowerBound) and \(range.upperBound).",
                member: ["breaker", .name(name)])
        }
        try check("failurePercent", breaker.failurePercent, 1...100)
        try check("minimumUsers", breaker.minimumUsers, 1...1_000_000)
        try check("windowHours", breaker.windowHours, 1...720)
    }

    private static func stoppedRestores(_ stops: [StoppedRestore]) throws(ServiceError) {
        guard stops.count <= Limits.stoppedRestores else {
            throw ServiceError(
                .settingsInvalid,
                "An app can have at most \(Limits.stoppedRestores) stopped restores: allow some again first.",
                member: ["stoppedRestores"])
        }
        for (index, stop) in stops.enumerated() {
            func refuse(_ name: String, _ message: String) -> ServiceError {
                ServiceError(.settingsInvalid, message, member: ["stoppedRestores", .index(index), .name(name)])
            }
            for (name, version) in [("sourceVersion", stop.sourceVersion), ("targetVersion", stop.targetVersion)] {
                if let version, !isVersion(version) { throw refuse(name, versionForm) }
            }
            guard Idiom(name: stop.idiom) != nil else { throw refuse("idiom", "The idiom is unknown.") }
            // The last time with a four-digit year.
            guard (0...253_402_300_799_999).contains(stop.until ?? 0) else {
                throw refuse("until", "The time is out of range.")
            }
        }
    }

    private static func quotas(_ quotas: App.Settings.Quotas) throws(ServiceError) {
        let bytes = [quotas.userBytes, quotas.anonymousBytes, quotas.appBytes].compactMap(\.self)
        let counts = [quotas.userArchives, quotas.appUsers, quotas.appDevices].compactMap(\.self)
        guard bytes.allSatisfy(Limits.quotaBytes.contains), counts.allSatisfy(Limits.quotaCount.contains),
            quotas.userDevices.map((1...Limits.devices).contains) ?? true,
            quotas.userScenes.map((1...Limits.scenes).contains) ?? true
        else {
            throw ServiceError(
                .settingsInvalid,
                """
                Quotas of bytes must be between 0 and 1 EiB, quotas of archives, users and an app's devices between 0 \
                and 1000000000, a user's devices between 1 and \(Limits.devices), and a user's scenes between 1 and \
                \(Limits.scenes).
                """)
        }
    }

    private static func signIn(_ settings: App.Settings.SignIn) throws(ServiceError) {
        for text in [settings.issuer, settings.audience].compactMap(\.self) {
            guard !text.isEmpty, TextForm.isPlain(text, limit: Limits.issuer) else {
                throw ServiceError(
                    .settingsInvalid,
                    "An issuer or audience has 1 to \(Limits.issuer) bytes and no control characters.")
            }
        }
        if let path = settings.keysFile {
            guard path.hasPrefix("/"), TextForm.isPlain(path, limit: 4095) else {
                throw ServiceError(
                    .settingsInvalid, "The path of a key file must be absolute, with at most 4095 bytes.")
            }
        }
        guard settings.keys.count <= Limits.keys else {
            throw ServiceError(
                .settingsInvalid, "An app can have at most \(Limits.keys) keys for sign-in tokens: remove one first.")
        }
    }

    private static let versionForm =
        "A version must be a dotted number such as 42 or 1.2b3: it begins with a digit and has at most 64 bytes."

    /// Returns whether a version can be compared. Letters after a component's digits are ignored. A component without
    /// digits would count as 0, so a version must start with a digit
    /// (docs/decisions/0025-a-newer-version-gives-its-place.md).
    private static func isVersion(_ text: String) -> Bool {
        text.utf8.first.map { (0x30...0x39).contains($0) } == true && TextForm.isPlain(text, limit: Limits.version)
    }
}
