#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperRuntime
    import UIKit

    /// The storyboards of the app, and the view controllers in them.
    ///
    /// UIKit has no API for a storyboard's name or its identifiers, and raises an exception for an unknown
    /// identifier. The compiled storyboard in the app's bundle lists the identifiers in its Info.plist. A view
    /// controller is made from a storyboard if exactly one of them lists its restoration identifier, as with the
    /// setting "Use Storyboard ID" in Xcode.
    @MainActor
    struct AppStoryboards {
        /// Of this app.
        static var current = AppStoryboards(in: .main)

        private let bundle: Bundle
        private var names: [String: [String]] = [:]

        init(in bundle: Bundle) {
            self.bundle = bundle
            for path in bundle.paths(forResourcesOfType: "storyboardc", inDirectory: nil) {
                let list = Bundle(path: path)?.object(forInfoDictionaryKey: "UIViewControllerIdentifiersToNibNames")
                guard let identifiers = list as? [String: Any] else { continue }
                // A storyboard may have a variant for each idiom, such as `Main~ipad`.
                let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
                let name = file.split(separator: "~").first.map(String.init) ?? file
                for identifier in identifiers.keys where names[identifier]?.contains(name) != true {
                    names[identifier, default: []].append(name)
                }
            }
        }

        /// The storyboards for the runtime.
        var storyboards: [Storyboard] {
            Dictionary(grouping: names.filter { $0.value.count == 1 }, by: { $0.value[0] }).map { name, identifiers in
                let storyboard = Storyboard(name: name)
                for (identifier, _) in identifiers {
                    storyboard.add(identifier: identifier) { [bundle] _ in
                        let made = UIStoryboard(name: name, bundle: bundle)
                            .instantiateViewController(withIdentifier: identifier)
                        return Made.standIn(of: made)
                    }
                }
                return storyboard
            }
        }

        /// Returns the storyboard that makes a view controller like this one. Nil if none does.
        static func origin(of controller: UIViewController) -> StoryboardOrigin? {
            guard controller.storyboard != nil, let identifier = controller.restorationIdentifier,
                let names = current.names[identifier], names.count == 1
            else { return nil }
            return StoryboardOrigin(storyboard: Storyboard(name: names[0]), identifier: identifier)
        }
    }
#endif
