/// A user interface idiom, with its number in archives (seed row 27).
public struct UserInterfaceIdiom: RawRepresentable, Sendable, Hashable {
    /// The number in archives.
    public var rawValue: Int64
    /// Creates an idiom from its number, which need not be one of the constants.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// An unspecified idiom.
    public static let unspecified = UserInterfaceIdiom(rawValue: -1)
    /// iPhone.
    public static let phone = UserInterfaceIdiom(rawValue: 0)
    /// iPad.
    public static let pad = UserInterfaceIdiom(rawValue: 1)
    /// Apple TV.
    public static let tv = UserInterfaceIdiom(rawValue: 2)
    /// CarPlay.
    public static let carPlay = UserInterfaceIdiom(rawValue: 3)
    /// Apple Watch, for which UIKit has no number.
    public static let watch = UserInterfaceIdiom(rawValue: 4)
    /// Mac.
    public static let mac = UserInterfaceIdiom(rawValue: 5)
    /// Apple Vision Pro.
    public static let vision = UserInterfaceIdiom(rawValue: 6)
}
