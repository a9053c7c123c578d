import Foundation
import PlacekeeperUIKit
import Testing
import UIKit

/// An app whose screen saves the identifier of the song that it shows. Each device has identifiers of its own.
@MainActor
struct ModelIdentifierTests {
    private final class Songs: NSObject, AliasedModelAssociation {
        /// The addresses, by identifier.
        let addresses: [String: String]
        let listName = "songs"

        init(_ addresses: [String: String]) { self.addresses = addresses }

        func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { nil }
        func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? { nil }
        func aliases(forElementWithModelIdentifier identifier: String) -> [ItemAlias] {
            [addresses[identifier]].compactMap { $0 }.map { .unique("address", $0) }
        }
        func modelIdentifiers(forElementsWith alias: ItemAlias) -> [String]? {
            addresses.filter { .unique("address", $0.value) == alias }.map(\.key)
        }
    }

    private final class SongScreen: UIViewController {
        let songs: Songs
        var song: String?

        init(_ songs: Songs) {
            self.songs = songs
            super.init(nibName: nil, bundle: nil)
            restorationIdentifier = "Song"
        }
        required init?(coder: NSCoder) { nil }

        override func encodeRestorableState(with coder: NSCoder) {
            super.encodeRestorableState(with: coder)
            coder.encode(modelIdentifier: song, of: songs, forKey: "song")
        }
        override func decodeRestorableState(with coder: NSCoder) {
            super.decodeRestorableState(with: coder)
            song = coder.decodeModelIdentifier(of: songs, forKey: "song")
        }
    }

    private final class App: NSObject, UIApplicationDelegate {}

    private func launch(_ device: Device, _ screen: SongScreen) async throws -> Launch<ListingScene> {
        try await device.launch(App()) { _ in ListingScene(root: screen) }
    }

    @Test("another device restores its own identifier of an element that code encoded", arguments: [true, false])
    func translatesIdentifier(_ hasSong: Bool) async throws {
        let (phone, other) = try await Devices.twoPhones()
        let screen = SongScreen(Songs(["a1": "song:1", "a2": "song:2"]))
        let first = try await launch(phone, screen)
        first.play { _ in screen.song = "a2" }
        _ = try await first.leave()

        let restored = SongScreen(Songs(hasSong ? ["b1": "song:2", "a2": "song:1"] : ["a2": "song:1"]))
        _ = try await launch(other, restored)
        #expect(restored.song == (hasSong ? "b1" : nil))
    }
}
