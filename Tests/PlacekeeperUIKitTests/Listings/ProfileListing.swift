import UIKit

// S3: the listings of the tutorial "State Restoration in iOS App", line by line.
//
// Differs from the listings:
// - Swift 2's names are written as they are called today, such as `coder.encode(name, forKey: "name")` for
//   `coder.encodeObject(name, forKey: "name")`.
// - The listings call one class `ProfileViewController` and `PetEditViewController`.
// - The image view and the text field are created here, and not connected as outlets.
// - The declarations that the listings leave out: `Profile`, `DataManager`, and the properties.

/// Step 1.
final class ProfileAppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool {
        return true
    }
    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool {
        return true
    }
}

/// The listings use two names for this class.
typealias PetEditViewController = ProfileViewController

class ProfileViewController: UIViewController {
    var profileID: Int?
    private(set) var myProfile: Profile?
    let profileImageView = UIImageView()
    let nameTextField = UITextField()

    /// Step 2.
    override func viewDidLoad() {
        super.viewDidLoad()

        // Tells unique restoration Identifier
        restorationIdentifier = "ProfileViewController"

        // Tells UIKit which class to instantiate for restoration
        restorationClass = PetEditViewController.self

        view.addSubview(profileImageView)
        view.addSubview(nameTextField)
    }

    /// Step 3.
    override func encodeRestorableState(with coder: NSCoder) {

        // preserve only ID of Profile Model Object.
        if let profileID = profileID {
            coder.encode(profileID, forKey: "profileID")
        }

        // save image
        if let image = profileImageView.image {
            coder.encode(image.pngData(), forKey: "image")
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
            profileImageView.image = UIImage(data: imageData as Data)
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

extension ProfileViewController: UIViewControllerRestoration {
    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {
        let vc = ProfileViewController()
        return vc
    }
}

struct Profile: Equatable {
    var id: Int
    var motto: String
}

@MainActor
final class DataManager {
    static let sharedManager = DataManager()
    private let mottos = [5: "Measure twice", 6: "Ship on Friday"]

    func profileWithID(_ id: Int) -> Profile? { mottos[id].map { Profile(id: id, motto: $0) } }
}
