import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

private enum Phone {
    final class Editor: Screen, ViewControllerRestoration {
        static let restorationClassName = "Editor"
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Editor(path.last).made(by: Editor.self) }
    }
}

private enum Mac {
    final class Editor: Screen, ViewControllerRestoration {
        static let restorationClassName = "Editor"
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Editor(path.last).made(by: Editor.self) }
    }
}

private enum Videos {
    final class Detail: Screen, ViewControllerRestoration {
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Detail(path.last).made(by: Detail.self) }
    }
}

private enum Photos {
    final class Detail: Screen, ViewControllerRestoration {
        static let restorationClassName = "PhotoDetail"
        static func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? { Detail(path.last).made(by: Detail.self) }
    }
}

extension Screen {
    fileprivate func made(by type: any RestorationClass.Type) -> Self {
        restorationClass = type
        return self
    }
}

/// Tests classes that choose their own name in archives.
@MainActor
struct KeptClassNameTests {
    private func app(_ classes: any RestorationClass.Type...) -> TestApp {
        let app = TestApp(NavigationController(root: Screen("List")).named("Root"))
        for type in classes { app.environment.add(type) }
        return app
    }

    private func archive(of page: Screen, made type: any RestorationClass.Type) throws -> StateArchive {
        let app = app(type)
        (app.roots[0] as? NavigationController)?.push(page.made(by: type))
        return try #require(try app.save())
    }

    private func top(of app: TestApp) -> ViewController? { (app.roots[0] as? NavigationController)?.top }

    @Test func restoresClassOfAnotherModuleWithTheSameCustomName() throws {
        let fromPhone = try archive(of: Phone.Editor("Page", text: "phone"), made: Phone.Editor.self)
        #expect(fromPhone.objects.last?.className == "Editor")
        let mac = app(Mac.Editor.self)
        try mac.restore(fromPhone)
        #expect((top(of: mac) as? Mac.Editor)?.text == "phone")

        let fromMac = try archive(of: Mac.Editor("Page", text: "mac"), made: Mac.Editor.self)
        let phone = app(Phone.Editor.self)
        try phone.restore(fromMac)
        #expect((top(of: phone) as? Phone.Editor)?.text == "mac")
    }

    @Test func readsShortNameAsTheClassWithoutCustomName() throws {
        var archive = try archive(of: Videos.Detail("Page", text: "waves"), made: Videos.Detail.self)
        let last = archive.objects.index(before: archive.objects.endIndex)
        (archive.objects[last].className, archive.objects[last].restorationClass) = ("Detail", "Detail")
        let both = app(Photos.Detail.self, Videos.Detail.self)
        try both.restore(archive)
        #expect((top(of: both) as? Videos.Detail)?.text == "waves")

        // A class with a custom name is used if no other class has the short name.
        let photos = app(Photos.Detail.self)
        try photos.restore(archive)
        #expect((top(of: photos) as? Photos.Detail)?.text == "waves")
    }

    @Test func restoresRenamedClassThatTheDelegateMakes() throws {
        final class Before: Screen, RestorationClassNaming {
            static let restorationClassName = "Reader"
        }
        final class After: Screen, RestorationClassNaming {
            static let restorationClassName = "Reader"
        }
        let archive = try #require(try TestApp(Before("Page", text: "chapter")).save())
        #expect(archive.objects.map(\.className) == ["Reader"])
        let made = After("Page")
        let next = TestApp()
        next.make = { _, _ in made }
        try next.restore(archive)
        #expect(made.text == "chapter")
    }
}
