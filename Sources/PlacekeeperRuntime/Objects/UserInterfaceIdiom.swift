/// A user interface idiom, with its number in archives (seed row 27).
public struct UserInterfaceIdiom: RawRepresentable, Sendable, Hashable {
    /// The number in archives.
    public var rawValue: Int64
    /// Creates an idiom from its number. The number may be a number for which this type has no constant.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// An unspecified idiom.
    public static let unspecified = UserInterfaceIdiom(rawValue: -1)
    /// A phone.
    public static let phone = UserInterfaceIdiom(rawValue: 0)
    /// A pad.
    public static let pad = UserInterfaceIdiom(rawValue: 1)
    /// A television.
    public static let tv = UserInterfaceIdiom(rawValue: 2)
    /// A car's screen.
    public static let carPlay = UserInterfaceIdiom(rawValue: 3)
    /// A watch, for which UIKit has no number.
    public static let watch = UserInterfaceIdiom(rawValue: 4)
    /// A Mac.
    public static let mac = UserInterfaceIdiom(rawValue: 5)
    /// A headset.
    public static let vision = UserInterfaceIdiom(rawValue: 6)
}
