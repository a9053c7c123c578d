import PlacekeeperArchive
import PlacekeeperCore

/// The facts that the service reads from an uploaded archive. Values missing from the archive are nil.
struct ArchiveFacts {
    var idiom: Idiom?
    var layout: Layout?
    var bundleVersion: String?
    var systemVersion: String?
    var stateVersion: Int64?
    var summary: Archive.Summary

    /// Validates and reads the bytes in one pass, with a limited amount of work.
    init(reading bytes: [UInt8]) throws(ServiceError) {
        let read: ArchiveSummary
        do {
            read = try ArchiveSummary(reading: bytes)
        } catch {
            throw ServiceError(
                .archiveUnreadable, "The body is not a readable keyed archive. \(error.message)",
                details: ["reason": error.code.rawValue, "offset": "\(error.offset)"])
        }
        if let number = read.idiom, number != Int64(Idiom.unspecified.rawValue) {
            idiom = Int(exactly: number).flatMap(Idiom.init)
            guard idiom != nil else {
                throw ServiceError(
                    .contextInvalid, "The archive gives an unknown idiom.", details: ["archive": "\(number)"])
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

    /// Returns the archive's context, with values from the query where the archive has none.
    func context(with upload: Upload) throws(ServiceError) -> Context {
        let idiom = try agreed("idiom", idiom, upload.idiom, by: ==, text: \.name)
        guard let idiom, idiom != .unspecified else {
            throw ServiceError(.idiomRequired, "Neither the archive nor the query gives an idiom: add it to the query.")
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
            .contextContradicted, "The query and the archive give different values for \(member).",
            details: ["member": member, "archive": text(saved), "query": text(given)])
    }
}

extension String {
    /// Returns the longest prefix of whole characters that fits in `limit` UTF-8 bytes. It may be empty, because a
    /// single character can have any number of bytes.
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
