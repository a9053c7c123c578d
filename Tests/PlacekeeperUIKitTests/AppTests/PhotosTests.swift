import Foundation
import PlacekeeperUIKit
import Testing
import UIKit

/// The photo browser of S1, written for UIKit, with nothing of Placekeeper in it.
@MainActor
struct PhotosTests {
    /// The photos as a device knows them: each device gives them identifiers of its own.
    private func library(_ prefix: String, without gone: Set<Int> = []) -> PhotoLibrary {
        PhotoLibrary(
            (0..<210).filter { !gone.contains($0) }.map {
                Photo(
                    localIdentifier: "\(prefix)-\(($0 * 37) % 211)", address: "https://example.com/photos/\($0)",
                    title: "Photo \($0)")
            })
    }

    private func launch(_ device: Device, _ library: PhotoLibrary) async throws -> Launch<PhotosSceneDelegate> {
        let app = PhotosAppDelegate(library: library)
        app.register = Device.register
        return try await device.launch(app) { PhotosSceneDelegate($0) }
    }

    /// The library of the second device of a journey.
    private func secondLibrary(_ journey: Journey) -> PhotoLibrary { library(journey.isOneDevice ? "a" : "b") }

    @Test(
        "seed 90 · S1's photo browser: photo, zoom, bars, filters and inspector come back", .tags(.seed),
        arguments: Journey.allCases)
    func restoresPhotoWithInspector(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first, library("a"))
        first.play { app in
            app.open("Photo 31")
            app.zoom(2.5, at: CGPoint(x: 120, y: 310))
            app.photoScreen?.toggleBars()
            app.photoScreen?.rotate()
            app.inspect("Sepia", amount: 0.75, isEnabled: true)
            app.closeInspector()
            app.inspect("Blur", amount: 0.25, isEnabled: false)
        }
        let left = try await first.leave()

        let second = try await launch(devices.second, secondLibrary(journey))
        #expect(second.seen == left)
        #expect(second.seen.contains("bars hidden"))
        #expect(second.seen.contains("zoom 2.5, at 120.0 310.0"))
        #expect(second.seen.contains("transform 0.0 12.0"))
        #expect(second.seen.contains("label Photo 31 + Sepia 0.75"))
        #expect(second.seen.suffix(4) == ["presented", "screen Blur", "switch off", "slider 0.25"])
    }

    @Test(
        "seed 90 · S1's photo browser: the inspector and the photo share one filter again", .tags(.seed),
        arguments: Journey.allCases)
    func sharesFilterAgain(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first, library("a"))
        first.play { app in
            app.open("Photo 8")
            app.inspect("Sepia", amount: 0.75, isEnabled: true)
        }
        let shared = first.play { $0.inspector?.filter }
        _ = try await first.leave()

        let second = try await launch(devices.second, secondLibrary(journey))
        try second.play { app in
            let filter = try #require(app.inspector?.filter)
            #expect(filter !== shared)
            #expect(filter === app.photoScreen?.filters["Sepia"])
            // The photo shows what the inspector changes.
            app.inspector?.amountSlider.value = 0.125
            app.inspector?.controlsDidChange()
            app.photoScreen?.updateImage()
            #expect(app.seen.contains("label Photo 8 + Sepia 0.125"))
        }
    }

    @Test(
        "seed 90 · S1's photo browser: grid and selection come back, with other identifiers on the other device",
        .tags(.seed), arguments: Journey.allCases)
    func restoresGrid(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first, library("a"))
        first.play { app in
            app.scrollGrid(to: 110 * 6 + 37)
            let top = app.grid.collectionView.indexPathsForVisibleItems.min()?.item ?? 0
            app.open("Photo \(top + 4)")
        }
        _ = try await first.leave()
        first.play { $0.goBack() }
        let list = first.seen
        let top = try #require(first.play { $0.visiblePhotos.first })

        let second = try await launch(devices.second, secondLibrary(journey))
        #expect(second.seen.contains { $0.hasPrefix("stack Photos / Photo ") })
        second.play { $0.goBack() }
        #expect(list.contains { $0.hasPrefix("selected item Photo ") })
        #expect(top != "Photo 0")
        if journey.isAlike {
            #expect(second.seen == list)
        } else {
            // The rows of the pad are longer, so that the photo may not be the first of its row.
            #expect(second.seen.filter { !$0.hasPrefix("top item") } == list.filter { !$0.hasPrefix("top item") })
            #expect(second.play { $0.visiblePhotos.contains(top) })
        }
    }

    @Test(
        "seed 90 · S1's photo browser: the grid waits for photos that arrive after the launch", .tags(.seed),
        arguments: [Journey.folder, .service])
    func waitsForPhotos(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first, library("a"))
        first.play { app in
            app.scrollGrid(to: 110 * 9 + 50)
            app.grid.collectionView.selectItem(
                at: IndexPath(item: 31, section: 0), animated: false, scrollPosition: [])
        }
        let left = try await first.leave()
        #expect(left.contains("selected item Photo 31"))

        let late = library("a")
        let photos = late.photos
        late.photos = []
        let second = try await launch(devices.second, late)
        #expect(!second.seen.contains { $0.hasPrefix("top item") })
        second.play { app in
            late.photos = photos
            app.grid.collectionView.reloadData()
            second.restoration.itemsDidArrive()
        }
        #expect(second.seen == left)
    }

    @Test("seed 90 · S1's photo browser: a deleted photo isn't opened, and the grid is shown", .tags(.seed))
    func endsStackBeforeDeletedPhoto() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first, library("a"))
        first.play { $0.open("Photo 5") }
        _ = try await first.leave()

        let second = try await launch(devices.second, library("a", without: [5]))
        #expect(second.seen.contains("stack Photos"))
        #expect(!second.seen.contains { $0.hasPrefix("selected item") })
    }

    @Test(
        "seed 90 · S1's photo browser: two filters with one identifier come back on their own sides", .tags(.seed),
        arguments: Journey.allCases)
    func restoresScopedFilters(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first, library("a"))
        first.play { $0.compare(left: 0.125, right: 0.875) }
        let left = try await first.leave()
        #expect(left.suffix(2) == ["label Left: Filter 0.125", "label Right: Filter 0.875"])

        let second = try await launch(devices.second, secondLibrary(journey))
        #expect(second.seen == left)
        second.play { app in
            #expect(app.comparison.left.filter !== app.comparison.right.filter)
            #expect(app.comparison.left.filter?.restorationParent === app.comparison.left)
        }
    }
}
