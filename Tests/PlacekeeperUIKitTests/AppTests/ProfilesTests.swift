import Foundation
import Testing
import UIKit

/// The profile app of S3, written for UIKit, with nothing of Placekeeper in it.
@MainActor
struct ProfilesTests {
    private func members() -> [Member] {
        (0..<50).map { Member(identifier: $0, name: "Member \($0)", imageIDs: [$0 * 10 + 1, $0 * 10 + 2]) }
    }

    private func launch(_ device: Device, _ members: [Member]? = nil) async throws -> Launch<ProfilesSceneDelegate> {
        try await device.launch(ProfilesAppDelegate(members: members ?? self.members())) { ProfilesSceneDelegate($0) }
    }

    @Test(
        "seed 90 · S3's profile: picture and typed name come back, and the profile is fetched at the end", .tags(.seed),
        arguments: Journey.allCases)
    func restoresProfile(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { app in
            app.scrollMembers(to: 44 * 14 + 20)
            app.openMember(17)
            app.chooseImage(172)
            app.typeName("Grace")
        }
        let left = try await first.leave()
        first.play { $0.goBack() }
        let list = first.seen

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        #expect(second.seen.contains("label Picture 172"))
        #expect(second.seen.contains("field Grace"))
        #expect(second.play { $0.page?.member } == members()[17])
        second.play { $0.goBack() }
        #expect(second.seen == list)
        #expect(list.contains("top row Member 14 at -20.0"))
    }

    @Test("seed 90 · S3's profile: an identifier that viewDidLoad sets is saved after each launch", .tags(.seed))
    func comesBackAgainAndAgain() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { $0.openMember(4) }
        _ = try await first.leave()
        for name in ["Ada", "Edsger", "Barbara"] {
            let next = try await launch(devices.second)
            #expect(next.seen.contains("stack Members / Member 4"))
            next.play { $0.typeName(name) }
            _ = try await next.leave()
            let after = try await launch(devices.second)
            #expect(after.seen.contains("field " + name))
            _ = try await after.leave()
        }
    }

    @Test("seed 90 · S3's profile: the fetched profile is the one of today", .tags(.seed))
    func fetchesProfileOfToday() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { $0.openMember(9) }
        _ = try await first.leave()

        var members = members()
        members[9].name = "Renamed"
        members.reverse()
        let second = try await launch(devices.second, members)
        #expect(second.seen.contains("stack Members / Renamed"))
        #expect(second.seen.contains("field Member 9"))
        second.play { $0.goBack() }
        #expect(second.seen.contains("selected row Renamed"))
    }
}
