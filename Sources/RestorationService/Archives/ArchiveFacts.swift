import KeyedArchive

/// What the service takes from an uploaded archive; nil for what that does not say.
struct ArchiveFacts {
    var idiom: Idiom?
    var layout: Layout?
    var bundleVersion: String?
    var systemVersion: String?
    var stateVersion: Int64?
    var summary: Archive.Summary

    /// Checks the bytes, and reads them in one bounded pass.
    init(reading bytes: [UInt8]) throws(ServiceError) {
        let read: ArchiveSummary
        do {
            read = try ArchiveSummary(reading: bytes)
        } catch {
            throw ServiceError(
                .archiveUnreadable, "These bytes are not a keyed archive that can be read. \(error.message)",
                details: ["reason": error.code.rawValue, "offset": "\(error.offset)"])
        }
        if let number = read.idiom, number != Int64(Idiom.unspecified.rawValue) {
            idiom = Int(exactly: number).flatMap(Idiom.init)
            guard idiom != nil else {
                throw ServiceError(
                    .contextInvalid, "The archive is of an unknown idiom.", details: ["archive": "\(number)"])
            }
        }
        layout = read.layout.flatMap { Layout(name: $0.rawValue) }
        bundleVersion = read.bundleVersion
        systemVersion = read.systemVersion
        stateVersion = read.stateVersion
        summary = Archive.Summary(
            place: read.placeTitles.prefix(Limits.summarySteps).map { $0.wholeCharacters(within: Limits.summaryTitle) },
            objectCount: read.objectCount, referenceCount: read.referenceCount)
    }

    /// What the archive was made on: what it says, and what the query says where it is silent.
    func context(with upload: Upload) throws(ServiceError) -> Context {
        let idiom = try agreed("idiom", idiom, upload.idiom, by: ==, text: \.name)
        guard let idiom, idiom != .unspecified else {
            throw ServiceError(.idiomRequired, "Neither the archive nor the query says what idiom it is of.")
        }
        let context = Context(
            idiom: idiom, layout: try agreed("layout", layout, upload.layout, by: ==, text: \.name),
            bundleVersion: try agreed(
                "bundleVersion", bundleVersion, upload.bundleVersion, by: isSameVersion, text: \.self),
            systemVersion: try agreed(
                "systemVersion", systemVersion, upload.systemVersion, by: isSameVersion, text: \.self),
            stateVersion: try agreed("stateVersion", stateVersion, upload.stateVersion, by: ==, text: \.description))
        try Validation.context(context)
        return context
    }

    private func isSameVersion(_ left: String, _ right: String) -> Bool { DottedVersion(left) == DottedVersion(right) }

    private func agreed<Value>(
        _ member: String, _ saved: Value?, _ given: Value?, by isSame: (Value, Value) -> Bool, text: (Value) -> String
    ) throws(ServiceError) -> Value? {
        guard let saved else { return given }
        guard let given, !isSame(saved, given) else { return saved }
        throw ServiceError(
            .contextContradicted, "The query and the archive say different things of its \(member).",
            details: ["member": member, "archive": text(saved), "query": text(given)])
    }
}

extension String {
    /// As many whole characters from the beginning as fit into so many bytes of UTF-8: one character alone may be of any
    /// number.
    func wholeCharacters(within limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = startIndex
        var left = limit
        for index in indices {
            left -= self[index].utf8.count
            guard left >= 0 else { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}
