import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime

// The listings of the seed documents. Only UIKit's names are translated: `UIViewController` is `CodingViewController`,
// and the text field is defined here. Objective-C is written as Swift.

/// S0, listings 4-1 and 4-2: a view controller from a storyboard, with a number.
final class NumberViewController: CodingViewController, NSCoderViewControllerRestoration {
    static let numberKey = "MyViewControllerNumber"
    var number: Int32 = 0

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> (any RestorableViewController)? {
        var vc: NumberViewController?
        if let sb = coder.decodeObject(forKey: ReservedKey.storyboard) as? Storyboard {
            vc = sb.instantiateViewController(withIdentifier: "MyViewController") as? NumberViewController
            vc?.restorationIdentifier = identifierComponents.last
            vc?.restorationClass = NumberViewController.self
        }
        return vc
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        coder.encode(self.number, forKey: Self.numberKey)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)

        self.number = coder.decodeInt32(forKey: Self.numberKey)
    }
}

/// S0, listing 4-3: the selection of a custom text view.
final class SelectionView: CodingView {
    static let lengthKey = "kMyTextViewSelectionRangeLength"
    static let locationKey = "kMyTextViewSelectionRangeLocation"
    var selectionRange = NSRange()

    // Preserve the text selection
    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        let range = self.selectionRange
        coder.encode(range.length, forKey: Self.lengthKey)
        coder.encode(range.location, forKey: Self.locationKey)
    }

    // Restore the text selection.
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        if coder.containsValue(forKey: Self.lengthKey) && coder.containsValue(forKey: Self.locationKey) {
            var range = NSRange()
            range.length = coder.decodeInteger(forKey: Self.lengthKey)
            range.location = coder.decodeInteger(forKey: Self.locationKey)
            if range.length > 0 {
                self.selectionRange = range
            }
        }
    }
}

final class NameField {
    var text: String?
    private(set) var isFirstResponder = false
    func becomeFirstResponder() { isFirstResponder = true }
}

/// S2: unsaved text in one of two fields.
final class NameViewController: CodingViewController {
    private(set) var userID = ""
    let firstNameField: NameField? = NameField()
    let lastNameField: NameField? = NameField()

    func setUserID(identifier: String) { userID = identifier }

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

/// The delegates of S2 and S4 in one class. The delegate of S2 restores state of only one version of the app. The
/// delegate of S4 checks the bundle version and the idiom.
@MainActor
final class ListingsDelegate: NSCoderRestorationDelegate {
    var appVersion: Float = 11
    var minimumBundleVersion = 3
    var idiom = 0

    func shouldSaveApplicationState(_ coder: NSCoder) -> Bool {
        // Save the current app version to the archive.
        coder.encode(11.0, forKey: "MyAppVersion")

        // Always save state information.
        return true
    }

    func shouldRestoreApplicationState(_ coder: NSCoder) -> Bool {
        // Restore the state only if the app version matches.
        let version = coder.decodeFloat(forKey: "MyAppVersion")
        guard version == appVersion else { return false }

        let restorationBundleVersion = coder.decodeObject(forKey: ReservedKey.bundleVersion) as? NSString
        if (restorationBundleVersion?.integerValue ?? 0) < minimumBundleVersion {
            return false
        }

        let restorationInterfaceIdiom =
            (coder.decodeObject(forKey: ReservedKey.userInterfaceIdiom) as? NSNumber)?.intValue
        if restorationInterfaceIdiom != idiom {
            return false
        }

        return true
    }
}
