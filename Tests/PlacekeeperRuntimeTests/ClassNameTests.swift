import PlacekeeperArchive
import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

private enum Photos {
    final class Detail: Screen, ViewControllerRestoration {
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Detail(path.last).made(by: Detail.self) }
    }

    final class Filter: StateCopying {
        var level = 0
        func encodeState(with coder: StateEncoder) { coder.encode(level, forKey: "level") }
        func decodeState(with coder: StateDecoder) throws { level = coder.decodeInteger(forKey: "level") }
    }
}

private enum Videos {
    final class Detail: Screen, ViewControllerRestoration {
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Detail(path.last).made(by: Detail.self) }
    }

    final class Filter: StateCopying {
        var strength = 0
        func encodeState(with coder: StateEncoder) { coder.encode(strength, forKey: "level") }
        func decodeState(with coder: StateDecoder) throws { strength = coder.decodeInteger(forKey: "level") }
    }
}

/// A screen whose class has the same name as a class of the module `PlacekeeperSampleApps`.
private final class HelpPage: Screen, ViewControllerRestoration {
    static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? { HelpPage(path.last).made(by: HelpPage.self) }
}

extension Screen {
    fileprivate func made(by type: any RestorationClass.Type) -> Self {
        restorationClass = type
        return self
    }
}

@MainActor
struct ClassNameTests {
    private let details: [any RestorationClass.Type] = [Photos.Detail.self, Videos.Detail.self]

    private func navigation(_ pages: Screen...) -> NavigationController {
        let navigation = NavigationController(root: Screen("List")).named("Root")
        for page in pages { navigation.push(page) }
        return navigation
    }

    private func photo() -> Screen { Photos.Detail("Photo", text: "beach").made(by: Photos.Detail.self) }
    private func video() -> Screen { Videos.Detail("Video", text: "waves").made(by: Videos.Detail.self) }

    private func app(_ root: NavigationController, _ classes: [any RestorationClass.Type]) -> TestApp {
        let app = TestApp(root)
        for type in classes { app.environment.add(type) }
        return app
    }

    /// Returns an archive as an earlier version of the library wrote it: class names have no module names.
    private func olderArchive(of root: NavigationController) throws -> StateArchive {
        var archive = try #require(try app(root, details).save())
        for index in archive.objects.indices {
            let object = archive.objects[index]
            archive.objects[index].className = shortName(object.className)
            archive.objects[index].restorationClass = object.restorationClass.map(shortName)
        }
        for index in archive.instances.indices {
            archive.instances[index].className = shortName(archive.instances[index].className)
        }
        return archive
    }

    private func shortName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    @Test("seed 74 · two classes with the same short name are distinguished", .tags(.seed))
    func distinguishesClassesWithTheSameShortName() throws {
        let archive = try #require(try app(navigation(photo(), video()), details).save())
        #expect(
            archive.objects.compactMap(\.restorationClass) == [
                "PlacekeeperRuntimeTests.Photos.Detail", "PlacekeeperRuntimeTests.Videos.Detail",
            ])
        for classes in [details, details.reversed()] {
            let restored = navigation()
            try app(restored, classes).restore(archive)
            try #require(restored.viewControllers.count == 3)
            #expect((restored.viewControllers[1] as? Photos.Detail)?.text == "beach")
            #expect((restored.viewControllers[2] as? Videos.Detail)?.text == "waves")
        }
        // An object of the other class does not get the state.
        let (video, other) = (Videos.Detail("Photo"), TestApp())
        other.make = { _, _ in video }
        try other.restore(TestApp(Photos.Detail("Photo", text: "beach")).save())
        #expect(video.text == "")
        #expect(
            other.journal.events.contains(
                .otherClass(
                    path: "Photo", saved: "PlacekeeperRuntimeTests.Photos.Detail",
                    found: "PlacekeeperRuntimeTests.Videos.Detail")))
    }

    @Test("seed 74 · classes with the same name in two modules are distinguished", .tags(.seed))
    func distinguishesClassesOfTwoModules() throws {
        let classes: [any RestorationClass.Type] = [HelpPage.self, PlacekeeperSampleApps.HelpPage.self]
        let saved = navigation(HelpPage("Help", text: "health").made(by: HelpPage.self))
        let archive = try app(saved, classes).save()
        for classes in [classes, classes.reversed()] {
            let restored = navigation()
            try app(restored, classes).restore(archive)
            #expect((restored.top as? HelpPage)?.text == "health")
        }
    }

    @Test("seed 74 · a short name from an old archive is read if only one listed class has it", .tags(.seed))
    func readsUnambiguousShortNames() throws {
        let archive = try olderArchive(of: navigation(video()))
        #expect(archive.objects.last?.restorationClass == "Detail")
        let restored = navigation()
        try app(restored, [Videos.Detail.self]).restore(archive)
        #expect((restored.top as? Videos.Detail)?.text == "waves")
    }

    @Test("seed 74 · a short name that two listed classes have is refused, and the log names both", .tags(.seed))
    func refusesAmbiguousShortNames() throws {
        let archive = try olderArchive(of: navigation(video()))
        let restored = navigation()
        let next = app(restored, details)
        let restoration = try next.restore(archive)
        #expect(restoration.missing == ["Root/Video"])
        #expect(restored.viewControllers.count == 1)
        let refusal = next.journal.events.first { if case .missing = $0 { true } else { false } }
        #expect(
            refusal?.description
                == "Root/Video is missing: 2 restoration classes in the environment have the name Detail: PlacekeeperRuntimeTests.Photos.Detail, PlacekeeperRuntimeTests.Videos.Detail"
        )
    }

    @Test("seed 74 · saving fails if two listed classes have the same name", .tags(.seed))
    func refusesToSaveAmbiguousNames() throws {
        final class Editor: Screen, ViewControllerRestoration {
            static let restorationClassName = "Editor"
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? { Editor(path.last) }
        }
        final class OtherEditor: Screen, ViewControllerRestoration {
            static let restorationClassName = "Editor"
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? { OtherEditor(path.last) }
        }
        let app = app(navigation(Editor("Page").made(by: Editor.self)), [Editor.self, OtherEditor.self])
        let error = try #require(throws: PreservationError.self) { try app.save() }
        guard case .ambiguousClassName("Editor", let classes) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(classes == ["Editor", "OtherEditor"].map { "PlacekeeperRuntimeTests.ClassNameTests.\($0)" })
        // Listing one class twice does not make its name ambiguous.
        let again = self.app(navigation(photo()), [Photos.Detail.self, Photos.Detail.self])
        #expect(try again.save() != nil)
    }

    @Test("seed 74 · copies with the same short name are distinguished, and an ambiguous name is refused", .tags(.seed))
    func distinguishesCopiesWithTheSameShortName() throws {
        let (photo, video) = (Photos.Filter(), Videos.Filter())
        (photo.level, video.strength) = (3, 4)
        var restored: [AnyObject?] = []
        func app(_ list: (RestorationEnvironment) -> Void) -> TestApp {
            let root = Scripted("Root")
            root.save = {
                $0.encode(photo, forKey: "photo")
                $0.encode(video, forKey: "video")
            }
            root.restore = { coder in
                restored = ["photo", "video"].map { coder.decodeObject(of: AnyObject.self, forKey: $0) }
            }
            let app = TestApp(root)
            list(app.environment)
            return app
        }
        let both = app {
            $0.addCopies(of: Photos.Filter.self)
            $0.addCopies(of: Videos.Filter.self)
        }
        var archive = try #require(try both.save())
        try both.restore(archive)
        try #require(restored.count == 2)
        #expect((restored[0] as? Photos.Filter)?.level == 3)
        #expect((restored[1] as? Videos.Filter)?.strength == 4)

        for index in archive.instances.indices {
            archive.instances[index].className = shortName(archive.instances[index].className)
        }
        try both.restore(archive)
        #expect(restored.allSatisfy { $0 == nil })
        #expect(both.journal.events.contains { "\($0)".contains("several listed classes have that name") })
        try app { $0.addCopies(of: Videos.Filter.self) }.restore(archive)
        #expect((restored[1] as? Videos.Filter)?.strength == 4)
    }

    @Test func refusesToSaveCopiesWithAnAmbiguousName() throws {
        final class Settings: StateCopying {
            static let copyClassName = "Filter"
            func encodeState(with coder: StateEncoder) {}
            func decodeState(with coder: StateDecoder) throws {}
        }
        final class OtherSettings: StateCopying {
            static let copyClassName = "Filter"
            func encodeState(with coder: StateEncoder) {}
            func decodeState(with coder: StateDecoder) throws {}
        }
        let root = Scripted("Root")
        root.save = { $0.encode(Settings(), forKey: "settings") }
        let app = TestApp(root)
        app.environment.addCopies(of: Settings.self)
        app.environment.addCopies(of: OtherSettings.self)
        #expect(throws: PreservationError.self) { try app.save() }
    }

    @Test func restoresRenamedClassByItsRestorationClassName() throws {
        final class Before: Screen, ViewControllerRestoration {
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? { Before(path.last) }
        }
        final class After: Screen, ViewControllerRestoration {
            static let restorationClassName = "PlacekeeperRuntimeTests.ClassNameTests.Before"
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? { After(path.last) }
        }
        let archive = try app(navigation(Before("Page", text: "draft").made(by: Before.self)), [Before.self]).save()
        let restored = navigation()
        try app(restored, [After.self]).restore(archive)
        #expect((restored.top as? After)?.text == "draft")
    }

    @Test func namesLibraryClassesWithoutAModule() throws {
        let archive = try app(navigation(), []).save()
        #expect(archive?.objects.first?.className == "NavigationController")
    }
}
