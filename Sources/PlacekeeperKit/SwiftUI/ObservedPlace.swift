#if canImport(SwiftUI)
    import PlacekeeperArchive
    import Observation
    import PlacekeeperModels
    import SwiftUI

    /// A window's place, for the views inside it. A view that reads a value is updated when any value changes.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor
    @Observable
    final class ObservedPlace {
        @ObservationIgnored let place: KeptPlace
        /// Incremented when a value has changed or a state was restored.
        private(set) var revision = 0
        /// Incremented when a state was restored or data has arrived, so the path and the items are read again.
        private(set) var refreshCount = 0

        init(_ place: KeptPlace) {
            self.place = place
            place.didRestore = { [weak self] in
                self?.revision += 1
                self?.refreshCount += 1
            }
        }

        func value<Value: Decodable>(forKey key: String) -> Value? {
            _ = revision
            return place.value(forKey: key)
        }

        /// - Parameter isInteraction: Whether the user set the value through a control. Nil for the app's code.
        func setValue(_ value: some Encodable, forKey key: String, isInteraction: Bool?) {
            place.setValue(value, forKey: key, isInteraction: isInteraction)
            revision += 1
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    private struct KeptPlaceKey: EnvironmentKey {
        static let defaultValue: ObservedPlace? = nil
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension EnvironmentValues {
        /// The place of the window with `keepsPlace`. Nil outside such a window, and in a preview.
        var keptPlace: ObservedPlace? {
            get { self[KeptPlaceKey.self] }
            set { self[KeptPlaceKey.self] = newValue }
        }
    }
#endif
