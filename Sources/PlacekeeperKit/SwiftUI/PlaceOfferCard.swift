#if canImport(SwiftUI)
    import Foundation
    import PlacekeeperClient
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// The card that `keepsPlace` shows when another device has a newer place: the device, the titles of the screens,
    /// the progress, the time, and the screenshot. A quiet offer is a single line. The app's strings file may translate
    /// `This device`, `Another device`, `Continue`, `Dismiss` and the sentences of `PlaceOffer.problemText`.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    public struct PlaceOfferCard: View {
        private let offer: PlaceOffer

        /// Creates a card.
        public init(_ offer: PlaceOffer) { self.offer = offer }

        /// The card.
        public var body: some View {
            let place = offer.offer.place
            HStack(spacing: 12) {
                if let image = Image(snapshot: offer.snapshot) {
                    image.resizable().scaledToFit().frame(width: 48, height: 64).accessibilityHidden(true)
                }
                VStack(alignment: .leading, spacing: 4) {
                    if offer.offer.isQuiet {
                        Text(place.titles.last ?? offer.deviceName ?? "").font(.caption)
                    } else {
                        device.font(.headline)
                        Text(place.titles.joined(separator: " › "))
                        Text(place.date, style: .relative).font(.caption)
                    }
                    if let progress = offer.progressText { Text(progress).font(.caption) }
                    if let problem = offer.problemText { Text(LocalizedStringKey(problem)).font(.caption) }
                }
                Button("Continue") { offer.restore() }.disabled(offer.isRestoring)
                Button("Dismiss") { offer.dismiss() }
            }
            .padding(offer.offer.isQuiet ? 4 : 12)
            .background(.regularMaterial)
        }

        private var device: Text {
            if let device = offer.deviceName { return Text(device) }
            return offer.offer.place.device.isThisDevice ? Text("This device") : Text("Another device")
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension Image {
        /// Nil if there are no bytes, or if the system can't read the image.
        fileprivate init?(snapshot: Data?) {
            guard let snapshot else { return nil }
            #if canImport(UIKit)
                guard let image = UIImage(data: snapshot) else { return nil }
                self.init(uiImage: image)
            #elseif canImport(AppKit)
                guard let image = NSImage(data: snapshot) else { return nil }
                self.init(nsImage: image)
            #else
                return nil
            #endif
        }
    }
#endif
