public import PlacekeeperRuntime

/// A window that shows a root view controller.
///
/// If the window has an identifier, the paths of all objects in it start with that identifier, so two windows may show
/// the same screens. For such a window, the runtime also restores whether it was in front (seed row 78).
@MainActor
open class Window: View {
    /// The root view controller.
    public final var rootViewController: ViewController? {
        didSet {
            if oldValue?.window === self { oldValue?.window = nil }
            rootViewController?.window = self
        }
    }
    /// Whether the window is the key window, which is in front and receives keyboard input.
    public final var isKey = false

    open override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(isKey, forKey: Self.keyWindowKey)
    }
    open override func decodeRestorableState(with coder: StateDecoder) throws {
        isKey = coder.decode(Bool.self, forKey: Self.keyWindowKey) ?? isKey
    }

    private static let keyWindowKey = "kWindowIsKeyKey"
}
