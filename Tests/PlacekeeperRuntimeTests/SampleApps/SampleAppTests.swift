import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests behavior of the sample apps that docs/restoration-matrix.md does not describe.
@MainActor
struct SampleAppTests {
    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresTheSameStateAtEachLaunch(_ sample: Sample, _ layout: DeviceLayout) throws {
        let device = PlayedDevice(sample, layout)
        let left = try device.use()
        for _ in 1...3 {
            let (app, life, _) = device.launch()
            #expect(Appearance(app.shell) == left)
            try life.saveState()
        }
    }

    @Test(arguments: Sample.allCases, DeviceLayout.allCases)
    func restoresTheItemOnAnotherLayoutAndBack(_ sample: Sample, _ layout: DeviceLayout) async throws {
        let device = PlayedDevice(sample, layout)
        let left = try device.use()
        for other in DeviceLayout.allCases where other != layout {
            var archive = device.storage.archive
            for stop in [other, layout] {
                let next = PlayedDevice(sample, stop, numbers: "\(stop)")
                try next.storage.writeArchive(try #require(archive))
                let (app, life, _) = next.launch()
                _ = await life.restorePlace()
                try life.saveState()
                archive = next.storage.archive
                let open = Appearance(app.shell).visible.suffix(left.screensOfItem.count)
                #expect(open == left.screensOfItem[...])
            }
        }
    }

    @Test(arguments: DeviceLayout.allCases)
    func sharesFiltersBetweenAPhotoAndItsInspector(_ layout: DeviceLayout) throws {
        let device = PlayedDevice(.photoBrowser, layout)
        try device.use()
        let app = try #require(device.launch().app as? PhotoBrowser)
        let inspector = try #require(app.shell.visible.last as? FilterInspector)
        let photo = try #require(inspector.presenting as? PhotoScreen)
        #expect(inspector.filter != nil)
        #expect(inspector.filter === photo.filters["Blur"])
        #expect(app.comparison.left.filter !== app.comparison.right.filter)
    }

    @Test(arguments: DeviceLayout.allCases)
    func savesPlaceOfTheVisibleScreensAfterGoingBack(_ layout: DeviceLayout) async throws {
        let device = PlayedDevice(.textAndNumbers, layout)
        let (app, life, _) = device.launch()
        let numbers = try #require(app as? TextAndNumbers)
        numbers.open(number: device.items.items[PlayedDevice.openRow].id)
        numbers.shell.goBack()
        let place = try #require(try life.saveState()?.place)
        // In a split view, both screens are visible, and going back does nothing.
        #expect(place.steps.map(\.screen) == (layout == .split ? ["Numbers", "Number"] : ["Numbers"]))
        let seen = Appearance(app.shell)
        #expect(device.launched() == seen)
    }

    @Test func savesReferencesAndUnsavedEditsOnly() throws {
        let device = PlayedDevice(.nameEditor, .tabs)
        try device.use()
        let archive = try StateArchive(reading: try #require(device.storage.archive))
        let editor = try #require(archive.objects.first { $0.path.hasSuffix("/Editor") })
        #expect(Set(editor.state.keys) == ["UserID", "EditField", "EditedText"])
        #expect(editor.state["EditedText"] == .string("Lovelace"))
        guard case .reference? = editor.state["UserID"] else {
            Issue.record("The person is not saved by reference.")
            return
        }
    }

    /// Documents the words with which `Appearance` describes screens.
    @Test func describesVisibleScreensInWords() throws {
        let left = try PlayedDevice(.photoBrowser, .tabs).use()
        #expect(
            left.visible == ["Photo 13 + Sepia 0.875 ×2.5 without bars", "inspector: Blur 0.125 off"])
        #expect(
            left.all == [
                "Photos, from Photo 11 + 12.0, selected: Photo 13", "Photo 13 + Sepia 0.875 ×2.5 without bars",
                "Compare 0.25 | 0.75",
            ])
    }
}
