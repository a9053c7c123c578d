import Foundation
import Testing
import UIKit

/// The demo of S1, in UIKit's spelling.
@MainActor
struct PhotoListingTests {
    private func launch(_ device: Device, without gone: String? = nil) async throws -> Launch<ListingScene> {
        let delegate = PhotoDemoDelegate()
        let images = (100..<160).filter { "image-\($0)" != gone }
        delegate.titles = Dictionary(uniqueKeysWithValues: images.map { ("image-\($0)", "Title \($0)") })
        delegate.register = Device.register
        return try await device.launch(delegate) { delegate in ListingScene(root: delegate.navigationController) }
    }

    private func delegate() throws -> PhotoDemoDelegate {
        try #require(UIApplication.shared.delegate as? PhotoDemoDelegate)
    }

    @Test(
        "seed 90 · S1's demo: the sepia photo with the presented inspector of the disabled blur comes back",
        .tags(.seed), arguments: Journey.allCases)
    func restoresDemo(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        try first.play { scene in
            let image = try delegate().select(IndexPath(item: 12, section: 0))
            image.showsBars = false
            let sepia = try #require(try delegate().inspect("sepia", of: image))
            sepia.filter?.intensity = 0.875
            image.dismiss(animated: false)
            let blur = try #require(try delegate().inspect("blur", of: image))
            blur.filter?.intensity = 0.125
            blur.filter?.isEnabled = false
            blur.updateControls()
            image.updateImage()
        }
        let left = try await first.leave()

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        #expect(second.seen.contains("label Title 112, sepia 0.875"))
        #expect(second.seen.contains("bars hidden"))
        #expect(second.seen.suffix(4) == ["presented", "screen blur", "switch off", "slider 0.125"])
        try second.play { scene in
            let stack = try delegate().navigationController
            let image = try #require(stack?.topViewController as? ImageViewController)
            let inspector = try #require(image.presentedViewController as? FilterViewController)
            #expect(inspector.filter != nil && inspector.filter === image.filters["blur"])
            #expect(image.dataSource != nil)
            let dataSource = try delegate().collectionViewController.dataSource
            #expect(image.dataSource === dataSource)
        }
    }

    @Test(
        "seed 90 · S1's demo: the grid has the scroll position and the selected cell", .tags(.seed),
        arguments: [Journey.folder, .service])
    func restoresGrid(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        try first.play { scene in
            let grid = try #require(try delegate().collectionViewController.collectionView)
            grid.setContentOffset(CGPoint(x: 0, y: 345), animated: false)
            try delegate().select(IndexPath(item: 14, section: 0))
        }
        _ = try await first.leave()
        let list = try first.play { scene in
            try delegate().navigationController.popViewController(animated: false)
            return scene.seen
        }

        let second = try await launch(devices.second)
        try second.play { scene in
            try delegate().navigationController.popViewController(animated: false)
            #expect(scene.seen == list)
            #expect(scene.seen.contains("selected item Title 114"))
        }
    }

    @Test("seed 90 · S1's demo: an image that is gone isn't shown", .tags(.seed))
    func endsStackBeforeMissingImage() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        try first.play { scene in
            try delegate().select(IndexPath(item: 7, section: 0))
        }
        _ = try await first.leave()

        let second = try await launch(devices.second, without: "image-107")
        try second.play { scene in
            let stack = try delegate().navigationController
            #expect(stack?.viewControllers.count == 1)
            #expect(!scene.seen.contains { $0.hasPrefix("selected item") })
        }
    }
}
