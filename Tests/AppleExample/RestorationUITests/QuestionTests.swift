import Foundation
import PlacekeeperRuntime
import UIKit
import XCTest

/// Questions that only Apple's systems answer. Each test asks one, and passes if the answer is the one that
/// PlacekeeperUIKit relies on. docs/apple-matrix.md lists them.
@MainActor
final class QuestionTests: XCTestCase {
    func testUIKitItselfSavesAndRestoresNothingInAnAppWithScenes() {
        for isSecure in [true, false] {
            let device = RestorationDevice(isSecure: isSecure)
            device.tap("First.add")
            device.leave()
            device.app.activate()
            XCTAssertEqual(device.answers("First")["encodesOfUIKit"], nil)

            device.relaunch()
            XCTAssertEqual(device.answers("First")["decodesOfUIKit"], nil)
        }
    }

    func testImplementationOfUIViewControllerAcceptsTheCoder() {
        let device = RestorationDevice()
        device.tap("First.add")
        device.leave()
        XCTAssertTrue(device.app.state != .notRunning, "The app crashed while it saved its state")
        device.app.activate()
        XCTAssertTrue(device.answers("First")["encodes"] != nil, "encodeRestorableState(with:) was not called")

        device.relaunch()
        XCTAssertEqual(device.answers("First")["decodes"], "1")
    }

    func testRowsAreThereWhenTheLaunchRestores() {
        let device = RestorationDevice(.code, .table)
        device.tap("Rows.open")
        device.relaunch()
        let answers = device.answers("Rows")
        XCTAssertEqual(answers["rows"], "100")
        XCTAssertTrue(answers["visibleRows"] != "0", "The table had no visible rows when an identifier was looked up")
    }

    func testReservedKeysHaveTheValuesOfUIKit() {
        XCTAssertEqual(UIApplication.stateRestorationBundleVersionKey, ReservedKey.bundleVersion)
        XCTAssertEqual(UIApplication.stateRestorationUserInterfaceIdiomKey, ReservedKey.userInterfaceIdiom)
        XCTAssertEqual(UIApplication.stateRestorationTimestampKey, ReservedKey.timestamp)
        XCTAssertEqual(UIApplication.stateRestorationSystemVersionKey, ReservedKey.systemVersion)
    }

    func testStoryboardKeyHasTheValueOfUIKit() {
        XCTAssertEqual(UIApplication.stateRestorationViewControllerStoryboardKey, ReservedKey.storyboard)
    }

    func testCompiledStoryboardListsItsIdentifiers() {
        let device = RestorationDevice(.storyboard, .navigation)
        XCTAssertEqual(
            device.answers("First")["identifiers"],
            "First,Navigation,Note,Pages,Primary,Rows,Second,Secondary,Split,Tabs")
    }

    func testTextFieldOnAPresentedScreenIsEditedAgain() {
        let device = RestorationDevice()
        device.tap("First.present")
        device.type("Chapter 4", into: "Note.field")
        device.tap("Note.open")
        device.relaunch()
        device.tap("Note.read")
        XCTAssertEqual(device.value(ofField: "Note.field"), "Chapter 4")
        XCTAssertEqual(device.text("Note.state"), "editing, selected 2 to 5")
    }

    func testOpensAfterALaunchThatEndedWhileRestoring() {
        let device = RestorationDevice()
        device.tap("First.add", times: 2)
        device.leave()
        device.app.terminate()
        device.app.launchEnvironment["RESTORATION_ENDS"] = "1"
        XCTExpectFailure(
            "The process ends before the launch is complete.", strict: false, failingBlock: { device.app.launch() })

        device.app.launchEnvironment["RESTORATION_ENDS"] = nil
        device.app.terminate()
        device.app.launch()
        // The state that ended the process is not restored again. The next one is.
        XCTAssertEqual(device.text("First.count"), "0")
        device.tap("First.add")
        device.relaunch()
        XCTAssertEqual(device.text("First.count"), "1")
    }
}
