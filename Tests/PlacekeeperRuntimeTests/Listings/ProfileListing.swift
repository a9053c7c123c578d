import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime

// S3's listings, statement by statement. Only UIKit's names are translated: `UIViewController` is
// `CodingViewController`, and the image, the image view and the text field are defined here.

/// An image of a person.
final class Image {
    fileprivate let bytes: NSData
    init?(data: NSData) {
        guard data.length > 0 else { return nil }
        bytes = data
    }
}

func pngRepresentation(_ image: Image) -> NSData { image.bytes }

final class ImageView {
    var image: Image?
}

final class ProfileField {
    var text: String?
}

/// Step 1 of S3.
@MainActor
final class ProfileAppDelegate: NSCoderRestorationDelegate {
    func shouldSaveApplicationState(_ coder: NSCoder) -> Bool {
        return true
    }
    func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool {
        return true
    }
}

/// The listing uses two names for this class.
typealias PetEditViewController = ProfileViewController

final class ProfileViewController: CodingViewController {
    var profileID: Int?
    private(set) var myProfile: Profile?
    let profileImageView = ImageView()
    let nameTextField = ProfileField()

    /// Step 2 of S3.
    override func viewDidLoad() {
        super.viewDidLoad()

        // Tells unique restoration Identifier
        restorationIdentifier = "ProfileViewController"

        // Tells UIKit which class to instantiate for restoration
        restorationClass = PetEditViewController.self
    }

    /// Step 3 of S3.
    override func encodeRestorableState(with coder: NSCoder) {

        // preserve only ID of Profile Model Object.
        if let profileID = profileID {
            coder.encode(profileID, forKey: "profileID")
        }

        // save image
        if let image = profileImageView.image {
            coder.encode(pngRepresentation(image), forKey: "image")
        }

        //save string
        if let name = nameTextField.text {
            coder.encode(name, forKey: "name")
        }

        super.encodeRestorableState(with: coder)
    }

    override func decodeRestorableState(with coder: NSCoder) {

        // retrieve profile ID so that we can fetch entire profile
        profileID = Int(coder.decodeInteger(forKey: "profileID"))

        //image data
        if let imageData = coder.decodeObject(forKey: "image") as? NSData {
            profileImageView.image = Image(data: imageData)
        }
        // name
        if let name = coder.decodeObject(forKey: "name") as? String {
            nameTextField.text = name
        }

        super.decodeRestorableState(with: coder)
    }

    override func applicationFinishedRestoringState() {
        // ask data manager for Profile
        guard let profileID = profileID else { return }
        myProfile = DataManager.sharedManager.profileWithID(profileID)
    }
}

extension ProfileViewController: NSCoderViewControllerRestoration {
    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> (any RestorableViewController)? {
        let vc = ProfileViewController()
        return vc
    }
}

struct Profile: Equatable {
    var id: Int
}

@MainActor
final class DataManager {
    static let sharedManager = DataManager()
    func profileWithID(_ id: Int) -> Profile? { Profile(id: id) }
}
