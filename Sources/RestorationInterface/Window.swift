public import StateRestoration

/// A window, which shows a root view controller.
///
/// An identifier of its own stands before those of all that the window shows: two windows may show the same screens.
/// Then it comes back as well which window was in front (row 78).
@MainActor
open class Window: View {
    /// The view controller that fills the window.
    public final var rootViewController: ViewController? {
        didSet {
            if oldValue?.window === self { oldValue?.window = nil }
            rootViewController?.window = self
        }
    }
    /// Whether the window is in front of the app's others, and receives the keyboard's input.
    public final var isKey = false

    open override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(isKey, forKey: Self.keyWindowKey)
    }
    open override func decodeRestorableState(with coder: StateDecoder) throws {
        isKey = coder.decode(Bool.self, forKey: Self.keyWindowKey) ?? isKey
    }

    private static let keyWindowKey = "kWindowIsKeyKey"
}
