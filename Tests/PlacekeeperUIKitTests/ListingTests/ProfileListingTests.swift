import Foundation
import Testing
import UIKit

/// The listings of S3, in UIKit's spelling.
@MainActor
struct ProfileListingTests {
    private func launch(_ device: Device) async throws -> Launch<ListingScene> {
        try await device.launch(ProfileAppDelegate()) { _ in
            let root = UIViewController()
            root.restorationIdentifier = "RootViewController"
            let stack = UINavigationController(rootViewController: root)
            stack.restorationIdentifier = "NavigationController"
            return ListingScene(root: stack)
        }
    }

    @Test(
        "seed 90 · S3's listing: profile, image and name come back, and the profile is fetched at the end",
        .tags(.seed), arguments: Journey.allCases)
    func restoresProfile(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launch(devices.first)
        first.play { scene in
            let vc = ProfileViewController()
            vc.profileID = 5
            vc.profileImageView.image = UIImage(data: Data([0x89, 0x50, 0x4E, 0x47, 7]))
            vc.nameTextField.text = "Grace"
            scene.stack?.pushViewController(vc, animated: false)
        }
        let left = try await first.leave()

        let second = try await launch(devices.second)
        #expect(second.seen == left)
        second.play { scene in
            let restored = scene.stack?.topViewController as? ProfileViewController
            #expect(restored?.profileID == 5)
            #expect(restored?.profileImageView.image?.pngData() == Data([0x89, 0x50, 0x4E, 0x47, 7]))
            #expect(restored?.nameTextField.text == "Grace")
            #expect(restored?.myProfile == Profile(id: 5, motto: "Measure twice"))
        }
    }

    @Test("seed 90 · S3's listing: identifier and class that viewDidLoad sets hold for the next launches", .tags(.seed))
    func comesBackAgainAndAgain() async throws {
        let devices = try await Devices(.folder)
        let first = try await launch(devices.first)
        first.play { scene in
            let vc = ProfileViewController()
            #expect(vc.restorationIdentifier == nil)
            vc.profileID = 6
            scene.stack?.pushViewController(vc, animated: false)
        }
        _ = try await first.leave()
        for name in ["Ada", "Edsger"] {
            let next = try await launch(devices.second)
            next.play { ($0.stack?.topViewController as? ProfileViewController)?.nameTextField.text = name }
            _ = try await next.leave()
            let after = try await launch(devices.second)
            after.play { scene in
                let restored = scene.stack?.topViewController as? ProfileViewController
                #expect(restored?.nameTextField.text == name)
                #expect(restored?.profileID == 6)
                #expect(scene.stack?.viewControllers.count == 2)
            }
            _ = try await after.leave()
        }
    }
}

extension ListingScene {
    fileprivate var stack: UINavigationController? { window?.rootViewController as? UINavigationController }
}
