import Foundation

/// What only a device or a simulator can tell. Each screen shows it for the tests.
@MainActor
enum Answers {
    private static var counts: [String: Int] = [:]
    private static var answers: [String: String] = [:]

    static func count(_ question: String) { counts[question, default: 0] += 1 }

    /// Records the first answer to a question in this launch.
    static func add(_ question: String, _ answer: String) { answers[question] = answers[question] ?? answer }

    /// All answers in one line.
    static var text: String {
        let all = answers.merging(counts.mapValues { "\($0)" }) { $1 }
            .merging(["identifiers": storyboardIdentifiers]) { $1 }
        return all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }

    /// The identifiers that the Info.plist of the compiled storyboard lists.
    private static var storyboardIdentifiers: String {
        guard let storyboard = Bundle.main.url(forResource: "Screens", withExtension: "storyboardc"),
            let data = try? Data(contentsOf: storyboard.appendingPathComponent("Info.plist")),
            let info = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let names = info["UIViewControllerIdentifiersToNibNames"] as? [String: Any]
        else { return "" }
        return names.keys.sorted().joined(separator: ",")
    }
}
