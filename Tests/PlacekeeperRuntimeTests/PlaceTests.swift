import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct PlaceTests {
    /// A screen that adds a step with its identifier to the place.
    final class Stop: ViewController, PlaceProviding {
        let source = Elements("p12", "p13")
        var photo: String?
        var progress: Double?

        convenience init(_ name: String, photo: String? = nil) {
            self.init()
            restorationIdentifier = name
            self.photo = photo
        }

        func encodePlace(with coder: PlaceEncoder) {
            let elements = photo.map { [ModelReference($0, of: source, role: .selected)] } ?? []
            coder.addStep(
                screen: restorationIdentifier ?? "", elements: elements, parameters: ["zoom": .real(2)],
                progress: progress)
        }
    }

    /// A navigator that reaches only the given screens.
    final class Navigator: PlaceNavigating {
        var screens: Set<String>
        private(set) var went: [String] = []
        private(set) var progress: [Double?] = []
        init(_ screens: Set<String>) { self.screens = screens }
        func go(to step: PlaceStep) async -> Bool {
            guard screens.contains(step.screen) else { return false }
            let element = step.elements.first?.element.identifier ?? ""
            progress.append(step.progress)
            went.append("\(step.screen) \(element)\(step.parameters.decodeInteger(forKey: "zoom"))")
            return true
        }
    }

    private func steps(_ root: any RestorableViewController) throws -> [String]? {
        try TestApp(root).save()?.place?.steps.map(\.screen)
    }

    @Test func derivesAPlaceFromContainers() throws {
        let navigation = NavigationController(root: Stop("albums")).named("Albums")
        navigation.push(Stop("album"))
        navigation.push(Stop("photo", photo: "p12"))
        let tabs = TabBarController().named("Tabs")
        tabs.viewControllers = [Stop("other"), navigation]
        tabs.selected = navigation
        navigation.top?.present(Stop("filters"))
        #expect(try steps(tabs) == ["albums", "album", "photo", "filters"])
        tabs.selected = tabs.viewControllers[0]
        #expect(try steps(tabs) == ["other"])

        let split = SplitViewController().named("Split")
        split.secondary = Stop("photo")
        split.primary = NavigationController(root: Stop("albums")).named("Albums")
        #expect(try steps(split) == ["albums", "photo"])
        #expect(try steps(Screen("Nowhere")) == nil)
    }

    /// The delegate sets two web addresses and adds no step.
    @Test(
        arguments: [
            (["https://a.example/1", "https://a.example/2"], "https://a.example/2"),
            (["https://a.example/1", "photo"], nil),
            (["https://a.example/1", nil], nil),
        ] as [([String?], String?)])
    func savesLastValidWebAddress(addresses: [String?], saved: String?) throws {
        final class Delegate: ApplicationRestorationDelegate {
            var addresses: [String?] = []
            func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
            func encodePlace(with coder: PlaceEncoder) -> Bool {
                for address in addresses { coder.webAddress = address }
                return true
            }
        }
        let delegate = Delegate()
        delegate.addresses = addresses
        let app = TestApp(Stop("derived"))
        app.environment.delegate = delegate
        #expect(try app.save()?.place?.webAddress == saved)
    }

    @Test func prefersPlaceOfTheDelegate() throws {
        final class Delegate: ApplicationRestorationDelegate {
            func shouldSaveApplicationState(_ coder: StateEncoder) -> Bool { true }
            func encodePlace(with coder: PlaceEncoder) -> Bool {
                coder.addStep(screen: "own", title: "Own")
                return true
            }
        }
        let delegate = Delegate()
        let app = TestApp(Stop("derived"))
        app.environment.delegate = delegate
        #expect(try app.save()?.place == Place([.init(screen: "own", title: "Own")]))
    }

    @Test func stopsAtTheFirstStepThatCannotBeReached() async throws {
        let navigation = NavigationController(root: Stop("albums")).named("Root")
        navigation.push(Stop("photo", photo: "p12"))
        navigation.push(Stop("filters"))
        let archive = try #require(try TestApp(navigation).save())
        let all = Navigator(["albums", "photo", "filters"])
        #expect(
            await archive.restorePlace(through: all) == .init(reached: ["albums", "photo", "filters"], stopped: nil))
        #expect(all.went == ["albums 2", "photo p122", "filters 2"])
        let older = Navigator(["albums", "filters"])
        #expect(
            await archive.restorePlace(through: older)
                == .init(reached: ["albums"], stopped: "photo", reason: .init(.declined)))
        #expect(older.went == ["albums 2"])
    }

    @Test func progressOfAStepComesBack() async throws {
        let navigation = NavigationController(root: Stop("books")).named("Root")
        let book = Stop("book", photo: "p12")
        book.progress = 0.42
        navigation.push(book)
        let archive = try #require(try TestApp(navigation).save())
        let navigator = Navigator(["books", "book"])
        _ = try await StateArchive(reading: archive.encoded()).restorePlace(through: navigator)
        #expect(navigator.progress == [nil, 0.42])
    }

    @Test(arguments: [Double.nan, .infinity, -0.1, 1.5])
    func leavesOutProgressThatIsNotFromZeroToOne(_ progress: Double) throws {
        let stop = Stop("book")
        stop.progress = progress
        let app = TestApp(stop)
        #expect(try app.save()?.place?.steps.map(\.progress) == [nil])
        #expect(app.journal.events.contains(.lint(path: "place/book", key: "progress", .unwritable)))
    }

    @Test func keepsToTheLimitsOfTheFormat() throws {
        final class Endless: ViewController, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) {
                coder.addStep(screen: "large", parameters: ["text": .string(String(repeating: "x", count: 140_000))])
                for index in 0..<100 { coder.addStep(screen: "\(index)") }
            }
        }
        let app = TestApp(Endless().named("Root"))
        let place = try #require(try app.save()?.place)
        #expect(place.steps.count == 64)
        #expect(place.steps[0] == .init(screen: "large"))
        #expect(
            app.journal.events.contains(
                .lint(path: "place/large", key: "text", .leftOut(size: 140_004, limit: Place.maximumSize))))
        #expect(
            app.journal.events.contains(
                .lint(path: "place", key: "steps", .leftOut(size: 101, limit: Place.maximumStepCount))))
    }

    @Test func leavesOutParametersForWhichThePlaceHasNoRoom() throws {
        final class Sized: ViewController, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) {
                // The size of a step is the size of its screen name, 8 bytes for the dictionary of parameters, the size
                // of the key, and the size of the string.
                for size in [Place.maximumSize - 100, 101] {
                    let text = String(repeating: "x", count: size - "size".utf8.count - 8 - "text".utf8.count)
                    coder.addStep(screen: "size", parameters: ["text": .string(text)])
                }
            }
        }
        let place = try #require(try TestApp(Sized().named("Root")).save()?.place)
        #expect(place.steps.map(\.size) == [Place.maximumSize - 100, "size".utf8.count + 8])
    }

    @Test func leavesOutUnwritableTextsAndParametersOfStep() throws {
        final class Marked: ViewController, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) {
                let marks = String(repeating: "\u{301}", count: 257)
                coder.addStep(screen: "title", title: marks)
                coder.addStep(screen: "key", title: "Key", parameters: [marks: .null])
                coder.addStep(screen: "value", parameters: ["text": .array([.string(marks)])])
                coder.addStep(screen: "date", parameters: ["date": .date(.nan)])
            }
        }
        let app = TestApp(Marked().named("Root"))
        let steps = ["title", "key", "value", "date"].map { Place.Step(screen: $0, title: $0 == "key" ? "Key" : nil) }
        #expect(try app.save()?.place == Place(steps))
        for (screen, name) in [("title", "title"), ("value", "text"), ("date", "date")] {
            #expect(app.journal.events.contains(.lint(path: "place/" + screen, key: name, .unwritable)))
        }
    }

    @Test func keepsTheSmallValuesOfALargeStep() throws {
        final class Editor: ViewController, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) {
                coder.addStep(
                    screen: "editor", title: "Letter",
                    elements: [ModelReference("p1", of: Elements("p1"), role: .selected)],
                    parameters: [
                        "text": .string(String(repeating: "x", count: 140_000)), "page": .integer(7),
                        "object": .object(path: "Root"),
                    ])
                coder.addStep(screen: "next")
            }
        }
        let app = TestApp(Editor().named("Root"))
        let archive = try #require(try app.save())
        #expect(
            archive.place?.steps == [
                .init(screen: "editor", title: "Letter", references: [0], parameters: ["page": .integer(7)]),
                .init(screen: "next"),
            ])
        #expect(throws: Never.self) { try archive.encoded() }
    }

    @Test func endsThePlaceBeforeItemsThatDoNotFit() throws {
        final class Many: ViewController, PlaceProviding {
            func encodePlace(with coder: PlaceEncoder) {
                let text = String(repeating: "x", count: Place.maximumSize - 100)
                coder.addStep(screen: "first", parameters: ["text": .string(text)])
                let ids = (1...300).map { "\($0)" }
                coder.addStep(
                    screen: "many",
                    elements: ids.map { ModelReference(dataSource: "photos", element: .init($0), role: .selected) })
                coder.addStep(screen: "next")
            }
        }
        let app = TestApp(Many().named("Root"))
        let archive = try #require(try app.save())
        #expect(archive.place?.steps.map(\.screen) == ["first"])
        #expect(app.journal.events.contains(.lint(path: "place", key: "many", .unwritable)))
        #expect(throws: Never.self) { try archive.encoded() }
    }

    @Test(arguments: [
        (RestorationContext(idiom: .phone, bundleVersion: "451"), RestorationFidelity.place),
        (RestorationContext(idiom: .phone, bundleVersion: "453"), .full), (RestorationContext(idiom: .phone), .full),
        (RestorationContext(idiom: .phone, bundleVersion: "452", systemVersion: "26.4"), .place),
        (RestorationContext(idiom: .phone, bundleVersion: "452", systemVersion: "27.0"), .full),
        (RestorationContext(idiom: .phone, bundleVersion: "451", stateVersion: 3), .full),
        (RestorationContext(idiom: .phone, bundleVersion: "453", stateVersion: 2), .none),
        (RestorationContext(idiom: .mac, bundleVersion: "1"), .place),
    ])
    func derivesFidelityFromVersions(_ device: RestorationContext, _ fidelity: RestorationFidelity) {
        let archive = StateArchive(
            bundleVersion: "452", idiom: 0, systemVersion: "27.1", stateVersion: 3, place: Place([.init(screen: "a")]))
        #expect(device.fidelity(for: archive) == fidelity)
        // The service has judged the versions by the app's policy.
        #expect(device.fidelity(for: archive, served: .full) == .full)
    }

    @Test func restoresAtMostThePlaceIfTheStateWasLeftOut() throws {
        var archive = StateArchive(idiom: 0, place: Place([.init(screen: "a")]))
        archive.isPlaceOnly = true
        let phone = RestorationContext(idiom: .phone)
        #expect(phone.fidelity(for: archive) == .place)
        #expect(phone.fidelity(for: archive, served: .full) == .place)
        archive.place = nil
        #expect(phone.fidelity(for: archive, served: .full) == .none)
        #expect(try StateArchive(reading: archive.encoded()).isPlaceOnly)
    }

    @Test func derivesFidelityFromIdiomAndLayout() throws {
        let archive = StateArchive(idiom: 0, layout: .compact, place: Place([.init(screen: "a")]))
        #expect(RestorationContext(idiom: .phone).fidelity(for: archive) == .full)
        #expect(RestorationContext(idiom: .phone, layout: .compact).fidelity(for: archive) == .full)
        #expect(RestorationContext(idiom: .phone, layout: .regular).fidelity(for: archive) == .place)
        let withoutPlace = StateArchive(idiom: 0, layout: .compact)
        #expect(RestorationContext(idiom: .phone, layout: .regular).fidelity(for: withoutPlace) == .full)
        #expect(RestorationContext(idiom: .pad).fidelity(for: archive) == .place)
        #expect(RestorationContext(idiom: .pad).fidelity(for: StateArchive(idiom: 0)) == .none)
    }

    @Test func prefersServedFidelity() throws {
        let archive = StateArchive(idiom: 0, layout: .compact, place: Place([.init(screen: "a")]))
        for idiom in [UserInterfaceIdiom.phone, .pad] {
            let device = RestorationContext(idiom: idiom)
            #expect(device.fidelity(for: archive, served: .full) == .full)
            #expect(device.fidelity(for: archive, served: .place) == .place)
            #expect(device.fidelity(for: StateArchive(idiom: 0), served: .place) == .none)
            #expect(device.fidelity(for: archive, served: RestorationFidelity.none) == .none)
        }
        // The strings that the service uses for the fidelity.
        #expect(RestorationFidelity(rawValue: "full") == .full)
        #expect(RestorationFidelity(rawValue: "place") == .place)
    }

    @Test func launchesWithServedFidelity() async throws {
        let storage = InMemoryArchiveStorage()
        func app(_ idiom: UserInterfaceIdiom) -> LivingApp {
            let app = LivingApp(storage, idiom: idiom)
            app.root = { NavigationController(root: Stop("albums")).named("Root") }
            app.placeNavigator = Way()
            return app
        }
        func saveOnPhone() throws {
            let phone = app(.phone)
            phone.application.launch()
            phone.navigation.push(LookUpTests.Made("Page"))
            try phone.application.saveState()
        }
        // A policy that accepts the phone's state on a pad.
        try saveOnPhone()
        let pad = app(.pad)
        guard case .restored = pad.application.launch(served: .full) else { throw StorageError.failed("no state") }
        #expect(pad.stack == ["albums", "Page"])

        // A policy that refuses the state of this version, but serves its place.
        try saveOnPhone()
        let phone = app(.phone)
        #expect(phone.application.launch(served: .place) == .placeOnly)
        #expect(phone.stack == ["albums"])
        #expect(await phone.application.restorePlace() == PlaceRestoration(reached: ["albums"]))

        // The served fidelity was for the served archive only. For the app's own archive, the runtime compares the
        // idiom and the layout again.
        try saveOnPhone()
        #expect(app(.pad).application.launch() == .placeOnly)
    }
}
