// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What this module adds to UIKit, so that tests can play a device. Everything else has UIKit's own signature.

/// What the double noticed, and what it can't know by itself.
@MainActor public enum UIKitDouble {
    /// The calls of UIKit's own `encodeRestorableState(with:)` and `decodeRestorableState(with:)` in the classes that
    /// save state themselves, such as `UIScrollView.encodeRestorableState(with:) of Module.Class`.
    public static var foreignCoderCalls: [String] = []

    static func noteCoder(_ method: String, of owner: String, in object: AnyObject) {
        foreignCoderCalls.append("\(owner).\(method) of \(String(reflecting: type(of: object)))")
    }

    private static var cells: [ObjectIdentifier: (String) -> UIView] = [:]

    /// Sets how registered cells of a class are made, from their reuse identifiers. Other classes are created with
    /// `init(coder:)`: without Objective-C, only a required initializer can be called on a class that is a value.
    public static func makeCells<Cell: UIView>(of type: Cell.Type, _ make: @escaping @MainActor (String) -> Cell) {
        cells[ObjectIdentifier(type)] = make
    }

    static func makeCell(_ type: UIView.Type, _ identifier: String) -> UIView {
        if let make = cells[ObjectIdentifier(type)] { return make(identifier) }
        if type == UITableViewCell.self { return UITableViewCell(style: .default, reuseIdentifier: identifier) }
        if type == UICollectionViewCell.self { return UICollectionViewCell(frame: .zero) }
        guard let cell = type.init(coder: EmptyCoder()) else { preconditionFailure("\(type) has no init(coder:).") }
        return cell
    }
}

/// A coder without values, for `init(coder:)`.
final class EmptyCoder: NSCoder {
    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override func containsValue(forKey key: String) -> Bool { false }
    override func decodeObject(forKey key: String) -> Any? { nil }
    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { nil }
    override func decodeObject<DecodedObjectType: NSObject & NSCoding>(
        of cls: DecodedObjectType.Type, forKey key: String
    ) -> DecodedObjectType? { nil }
    override func decodeBool(forKey key: String) -> Bool { false }
    override func decodeInteger(forKey key: String) -> Int { 0 }
    override func decodeDouble(forKey key: String) -> Double { 0 }
    override func decodeFloat(forKey key: String) -> Float { 0 }
}
