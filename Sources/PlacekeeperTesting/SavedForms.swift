import Foundation
import PlacekeeperKit

/// The saved forms of an app's state, in a committed file: a test fails if this version of the app no longer restores
/// what an earlier version saved.
///
/// ```swift
/// @Test func restoresOlderPlaces() async throws {
///     try await SavedForms("Routes.json").check([Route.book(.init(placeID: "1"))], [.search(text: "sea")])
/// }
/// ```
public struct SavedForms: Sendable {
    /// With the value `1`, this environment variable makes `check` write the file. With `xcodebuild`, add the prefix
    /// `TEST_RUNNER_` to its name.
    public static let recordingVariable = "PLACEKEEPER_RECORD"

    private let url: URL
    private let isRecording: Bool

    /// Uses a file, which need not exist yet.
    /// - Parameters:
    ///   - path: The path of the file, relative to the folder of the test's source file.
    ///   - source: The test's source file.
    public init(_ path: String, from source: String = #filePath) {
        self.init(
            path, from: source, isRecording: ProcessInfo.processInfo.environment[Self.recordingVariable] == "1")
    }

    package init(_ path: String, from source: String, isRecording: Bool) {
        url = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: source).deletingLastPathComponent())
        self.isRecording = isRecording
    }

    /// Checks that this version of the app restores every form in the file, and saves and restores each example without
    /// loss. Pass an example of each screen, and one with each optional value.
    ///
    /// A new form only needs a new file: run the test once with `recordingVariable`. This run adds the form and also
    /// fails, so a run on a build server can't pass by writing. Forms of earlier versions remain in the file. Remove one
    /// only if no device needs it any more.
    /// - Parameter examples: States of the app, such as paths with a single screen.
    /// - Throws: A sentence for each difference.
    @MainActor
    public func check<Value: Codable>(_ examples: Value...) async throws {
        var findings: [String] = []
        let committed = try read()
        for form in committed {
            let again = await form.restored(as: Value.self).map(SavedForm.init(of:))
            if again?.contains(form) == true { continue }
            findings.append(
                "This version of the app doesn't restore the saved screen \(form.names). Restore its names and types: "
                    + "`CodingKeys` keep the saved name of a case or a value that you rename. A new value must be optional."
            )
        }
        var added: [SavedForm] = []
        for example in examples {
            findings += SavedForm.findings(in: example)
            let form = SavedForm(of: example)
            if await form.restored(as: Value.self).map(SavedForm.init(of:)) != form {
                findings.append("The screen \(form.names) doesn't come back from its saved form.")
            } else if !committed.contains(form), !added.contains(form) {
                added.append(form)
            }
        }
        guard findings.isEmpty else { throw SavedFormError(findings: findings) }
        guard !added.isEmpty else { return }
        let name = url.lastPathComponent
        guard isRecording else {
            let names = added.map(\.names).joined(separator: ", ")
            throw SavedFormError(findings: [
                "\(name) lacks the saved form of \(names). Run the test once with the environment variable "
                    + "\(Self.recordingVariable)=1, and commit the file."
            ])
        }
        try write(committed + added)
        throw SavedFormError(findings: [
            "\(name) was written. Commit it, and run the test without \(Self.recordingVariable)."
        ])
    }

    private func read() throws -> [SavedForm] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        do { return try JSONDecoder().decode([SavedForm].self, from: Data(contentsOf: url)) } catch {
            throw SavedFormError(findings: [
                "\(url.lastPathComponent) can't be read. Restore the committed version of the file."
            ])
        }
    }

    private func write(_ forms: [SavedForm]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(forms) + Data("\n".utf8)).write(to: url, options: .atomic)
    }
}

extension SavedForm {
    fileprivate var names: String { screens.map { "\"\($0.screen)\"" }.joined(separator: ", ") }
}

/// The differences that `SavedForms.check` found.
public struct SavedFormError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The differences, each a sentence that says what to do.
    public let findings: [String]
    /// The differences, one per line.
    public var description: String { findings.joined(separator: "\n") }
}
