import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct InspectionTests {
    @Test(
        "seed 63 · the tool lists restoration classes, then the top level, then each object with its state",
        .tags(.seed))
    func showsAnArchive() throws {
        final class Source: StateRestoring {}
        final class Page: Screen, ViewControllerRestoration {
            var source: Source?
            static func viewController(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any RestorableViewController)? { nil }
            override func encodeRestorableState(with coder: StateEncoder) {
                super.encodeRestorableState(with: coder)
                coder.encode(source, forKey: "source")
            }
        }
        let storyboard = Storyboard(name: "Main")
        let navigation = NavigationController(root: Screen("List", text: "all")).named("Root")
        navigation.storyboardOrigin = StoryboardOrigin(storyboard: storyboard, identifier: "start")
        let page = Page("Page", text: "health")
        page.restorationClass = Page.self
        page.source = Source()
        navigation.push(page)
        let view = View()
        view.restorationIdentifier = "Text"
        page.views = [view]
        let app = TestApp(navigation)
        app.environment.registerObject(page.source!, restorationIdentifier: "Source")
        app.willEncode = { $0.encode(3, forKey: "interface") }
        let archive = try #require(try app.save())
        #expect(
            try ArchiveInspection(reading: archive.encoded()).description == """
                Restoration Classes
                    Root/Page... PlacekeeperRuntimeTests.InspectionTests.Page

                Top Level
                    Placekeeper.formatVersion......................... 1
                    UIApplicationStateRestorationBundleVersion........ "1"
                    UIApplicationStateRestorationSystemVersion........ "17.4"
                    UIApplicationStateRestorationTimestamp............ 2026-05-09T06:13:20Z
                    UIApplicationStateRestorationUserInterfaceIdiom... 0
                    interface......................................... 3
                    kShownViewControllersKey.......................... [Object Identifier Proxy: Root/Page]

                [View Controller] Root (Class: NavigationController)
                    Storyboard: Main (Identifier: start)
                    kUIViewControllerChildrenKey... [Object Identifier Proxy: Root/List, Object Identifier Proxy: Root/Page]

                [View Controller] Root/List (Class: PlacekeeperRuntimeTests.Screen)
                    text... "all"

                [View Controller] Root/Page (Class: PlacekeeperRuntimeTests.InspectionTests.Page)
                    source... Object Identifier Proxy: Source
                    text..... "health"

                [View] Root/Page/Text (Class: View)

                [Restorable Object] Source (Class: PlacekeeperRuntimeTests.InspectionTests.Source) (Registered)

                """)
    }
}
