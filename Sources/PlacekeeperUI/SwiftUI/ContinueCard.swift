#if canImport(SwiftUI)
    import Foundation
    import PlacekeeperClient
    public import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// The default card of `continueOffer`: the device, the titles of the screens, the progress, the time, and the
    /// screenshot. A quiet card is a single line. The app's strings file may translate `This device`, `Another device`,
    /// `Continue`, `Dismiss` and the sentences of `OfferCard.problemText`.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    public struct ContinueCard: View {
        private let card: OfferCard
        private let answer: @MainActor (Bool) -> Void

        /// Creates a card.
        /// - Parameters:
        ///   - card: The content.
        ///   - answer: Called with true to continue there, and with false to dismiss the offer.
        public init(card: OfferCard, answer: @escaping @MainActor (Bool) -> Void) {
            self.card = card
            self.answer = answer
        }

        /// The card.
        public var body: some View {
            HStack(spacing: 12) {
                if let image = Image(snapshot: card.snapshot) {
                    image.resizable().scaledToFit().frame(width: 48, height: 64).accessibilityHidden(true)
                }
                VStack(alignment: .leading, spacing: 4) {
                    if card.isQuiet {
                        Text(card.titles.last ?? card.device ?? "").font(.caption)
                    } else {
                        device.font(.headline)
                        Text(card.titles.joined(separator: " › "))
                        Text(card.date, style: .relative).font(.caption)
                    }
                    if let progress = card.progressText { Text(progress).font(.caption) }
                    if let problem = card.problemText { Text(LocalizedStringKey(problem)).font(.caption) }
                }
                Button("Continue") { answer(true) }.disabled(card.isBeingTaken)
                Button("Dismiss") { answer(false) }
            }
            .padding(card.isQuiet ? 4 : 12)
            .background(.regularMaterial)
        }

        private var device: Text {
            if let device = card.device { return Text(device) }
            return card.offer.place.isOwn ? Text("This device") : Text("Another device")
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    extension Image {
        /// Nil if there are no bytes, or if the system can't read the image.
        fileprivate init?(snapshot: [UInt8]?) {
            guard let snapshot else { return nil }
            #if canImport(UIKit)
                guard let image = UIImage(data: Data(snapshot)) else { return nil }
                self.init(uiImage: image)
            #elseif canImport(AppKit)
                guard let image = NSImage(data: Data(snapshot)) else { return nil }
                self.init(nsImage: image)
            #else
                return nil
            #endif
        }
    }
#endif
