import UIKit

// S0: listings 4-1, 4-2 and 4-3, line by line, in Swift.
//
// Differs from the listings:
// - Listing 4-1 casts the new view controller to `PushViewController`, and then uses it as a `MyViewController`. Here it
//   is cast to `MyViewController`.
// - `UIStateRestorationViewControllerStoryboardKey` is `UIApplication.stateRestorationViewControllerStoryboardKey` in
//   Swift.
// - `encodeInt:forKey:` is `encode(_: Int32, forKey:)`, because an `int` has 32 bits.
// - The declarations that the listings leave out: the properties, the storyboard's name, and the values of the keys.

// swift-format-ignore: AlwaysUseLowerCamelCase
let MyViewControllerNumber = "MyViewControllerNumber"

class MyViewController: UIViewController, UIViewControllerRestoration {
    var number: Int32 = 0

    // Listing 4-1  Creating a new view controller during restoration

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {
        var vc: MyViewController?
        let sb =
            coder.decodeObject(forKey: UIApplication.stateRestorationViewControllerStoryboardKey) as? UIStoryboard
        if let sb {
            vc = sb.instantiateViewController(withIdentifier: "MyViewController") as? MyViewController
            vc?.restorationIdentifier = identifierComponents.last
            vc?.restorationClass = MyViewController.self
        }
        return vc
    }

    // Listing 4-2  Encoding and decoding a view controller’s state.

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        coder.encode(self.number, forKey: MyViewControllerNumber)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)

        self.number = coder.decodeInt32(forKey: MyViewControllerNumber)
    }
}

let kMyTextViewSelectionRangeLength = "kMyTextViewSelectionRangeLength"
let kMyTextViewSelectionRangeLocation = "kMyTextViewSelectionRangeLocation"

class MyTextView: UIView {
    private(set) var selectionRange = NSRange()

    func setSelectionRange(_ range: NSRange) { selectionRange = range }

    // Listing 4-3  Preserving the selection of a custom text view

    // Preserve the text selection
    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        let range = self.selectionRange
        coder.encode(Int32(range.length), forKey: kMyTextViewSelectionRangeLength)
        coder.encode(Int32(range.location), forKey: kMyTextViewSelectionRangeLocation)
    }

    // Restore the text selection.
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        if coder.containsValue(forKey: kMyTextViewSelectionRangeLength)
            && coder.containsValue(forKey: kMyTextViewSelectionRangeLocation)
        {
            var range = NSRange()
            range.length = Int(coder.decodeInt32(forKey: kMyTextViewSelectionRangeLength))
            range.location = Int(coder.decodeInt32(forKey: kMyTextViewSelectionRangeLocation))
            if range.length > 0 {
                self.setSelectionRange(range)
            }
        }
    }
}
