import Foundation
import PlacekeeperArchive
import Testing

@testable import PlacekeeperKit

struct PlaceActivityTests {
    private let archive = StateArchive(
        idiom: 0, application: ["draft": .string("sea")],
        place: Place([.init(screen: "root", title: "Library"), .init(screen: "book", title: "Moby-Dick")]))

    @Test func comesBackFromItsUserInfo() throws {
        let activity = PlaceActivity(scene: "editor", archive: archive)
        let read = try #require(PlaceActivity(userInfo: activity.userInfo))
        #expect(read == activity)
        #expect(read.archive == archive)
        #expect(read.titles == ["Library", "Moby-Dick"])
    }

    @Test func isNotReadFromOtherValues() {
        #expect(PlaceActivity(userInfo: nil) == nil)
        #expect(PlaceActivity(userInfo: ["placekeeper.scene": 7]) == nil)
    }

    @Test func leavesOutTheStateOfALargeArchive() {
        var large = archive
        large.application["draft"] = .string(String(repeating: "sea", count: 2000))
        let activity = PlaceActivity(scene: "main", archive: large)
        #expect(activity.archive?.application.isEmpty == true)
        #expect(activity.archive?.place == archive.place)
    }

    @Test func leavesOutALargePlace() {
        let steps = ["sea", "sky"].map { text in
            Place.Step(screen: "book", parameters: ["text": .string(String(repeating: text, count: 600))])
        }
        #expect(PlaceActivity(scene: "main", archive: StateArchive(place: Place(steps))).archive == nil)
    }

    @Test func leavesOutUnreadableAndLargeBytes() throws {
        var info: [String: Any] = PlaceActivity(scene: "main", archive: archive).userInfo
        let bytes = try #require(info["placekeeper.archive"] as? Data)
        info["placekeeper.archive"] = bytes.dropLast(9)
        #expect(try #require(PlaceActivity(userInfo: info)).archive == nil)
        var large = archive
        large.application["draft"] = .string(String(repeating: "sea", count: 2000))
        info["placekeeper.archive"] = Data(try large.encoded())
        #expect(try #require(PlaceActivity(userInfo: info)).archive == nil)
    }
}
