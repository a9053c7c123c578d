// swift-format-ignore-file
// Public type names of SwiftUI. Most declarations are empty: only the names matter. The declarations that an app's
// scenes use have SwiftUI's isolation.

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Body { get }
}
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @MainActor @preconcurrency var body: Body { get }
}
extension Never: View, Scene { public var body: Never { fatalError() } }
extension Scene {
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ old: V, _ new: V) -> Void
    ) -> some Scene { WindowGroup() }
}
extension View {
    nonisolated public func task(
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { Text() }
}
public struct WindowGroup: Scene {
    nonisolated init() {}
    public init<Content: View>(content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct Text: View {
    nonisolated init() {}
    public init(_ text: String) {}
    public var body: Never { fatalError() }
}
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }
public struct EnvironmentValues { public var scenePhase: ScenePhase { .active } }
@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) { wrappedValue = EnvironmentValues()[keyPath: path] }
    public let wrappedValue: Value
}
@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value
}
public struct Binding<Value> {}


public struct Window {}
public struct List {}
public struct Section {}
public struct Form {}
public struct Group {}
public struct TextField {}
public struct TextEditor {}
public struct Label {}
public struct Image {}
public struct Button {}
public struct Toggle {}
public struct Picker {}
public struct Menu {}
public struct Link {}
public struct ScrollView {}
public struct ScrollPosition {}
public struct TabView {}
public struct Tab {}
public struct NavigationView {}
public struct NavigationStack {}
public struct NavigationSplitView {}
public struct NavigationPath {}
public struct SceneStorage {}
public struct AppStorage {}
public struct Alert {}
public struct Animation {}
public struct Transaction {}
public struct Table {}
public struct TableColumn {}
public struct OutlineGroup {}
public struct Grid {}
public struct Canvas {}
public struct Path {}
public struct Color {}
public struct Font {}
public protocol Shape {}
public protocol Layout {}
public struct Edge {}
public struct Axis {}
public struct Anchor {}
public struct Namespace {}
public struct Gesture {}
public struct Divider {}
public struct Spacer {}
public struct Stepper {}
public struct Slider {}
public struct ProgressView {}
public struct Gauge {}
public struct ControlGroup {}
public struct Transition {}
public struct SubmitLabel {}
public struct ContentUnavailableView {}
public struct DisclosureGroup {}
public struct DropInfo {}
public struct FocusState {}
public struct GestureState {}
public struct Visibility {}
public struct ColorScheme {}
public struct DynamicTypeSize {}
public struct EditMode {}
public struct OpenURLAction {}
public struct PresentationMode {}
public struct RedactionReasons {}
public struct Settings {}
public struct TextSelection {}
public struct UserInterfaceSizeClass {}
public struct ViewModifier {}
