import UIKit

// S2: the listings of "Preserving your app’s UI across launches", line by line.
//
// Differs from the listings:
// - The text fields are created here, and not connected as outlets.
// - The declarations that the listings leave out: the class names, `userID`, and where `setUserID(identifier:)` finds
//   the names of a user.

final class NameAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        shouldSaveSecureApplicationState coder: NSCoder
    ) -> Bool {
        // Save the current app version to the archive.
        coder.encode(11.0, forKey: "MyAppVersion")

        // Always save state information.
        return true
    }

    func application(
        _ application: UIApplication,
        shouldRestoreSecureApplicationState coder: NSCoder
    ) -> Bool {
        // Restore the state only if the app version matches.
        let version = coder.decodeFloat(forKey: "MyAppVersion")
        if version == 11.0 {
            return true
        }

        // Don't restore from old data.
        return false
    }
}

class NameViewController: UIViewController {
    /// The stored names, by user ID.
    static let names = ["user-17": ("Ada", "Byron"), "user-18": ("Grace", "Hopper")]

    private(set) var userID = ""
    var firstNameField: UITextField? = UITextField()
    var lastNameField: UITextField? = UITextField()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(firstNameField!)
        view.addSubview(lastNameField!)
    }

    func setUserID(identifier: String) {
        userID = identifier
        firstNameField?.text = Self.names[identifier]?.0
        lastNameField?.text = Self.names[identifier]?.1
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        // Save the user ID so that we can load that user later.
        coder.encode(userID, forKey: "UserID")

        // Write out any temporary data if editing is in progress.
        if firstNameField!.isFirstResponder {
            coder.encode(firstNameField?.text, forKey: "EditedText")
            coder.encode(Int32(1), forKey: "EditField")
        } else if lastNameField!.isFirstResponder {
            coder.encode(lastNameField?.text, forKey: "EditedText")
            coder.encode(Int32(2), forKey: "EditField")
        } else {
            // No editing was in progress.
            coder.encode(Int32(0), forKey: "EditField")
        }
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)

        // Restore the first name and last name from the user ID.
        let identifier = coder.decodeObject(forKey: "UserID") as! String
        setUserID(identifier: identifier)

        // Restore an in-progress values that was not saved.
        let activeField = coder.decodeInteger(forKey: "EditField")
        let editedText = coder.decodeObject(forKey: "EditedText") as! String?

        switch activeField {
        case 1:
            firstNameField?.text = editedText
            firstNameField?.becomeFirstResponder()
            break

        case 2:
            lastNameField?.text = editedText
            lastNameField?.becomeFirstResponder()
            break

        default:
            break  // Do nothing.
        }
    }
}
