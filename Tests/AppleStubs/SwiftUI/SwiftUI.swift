// swift-format-ignore-file
// The public declarations of SwiftUI that the adapters and their example use, with the isolation of Apple's current
// software development kits. Written from Apple's public documentation, whose pages stand beside the declarations that
// decide something, below https://developer.apple.com/documentation/. Bodies are empty: the module is only type-checked.

@_exported import Foundation
@_exported import Observation
#if canImport(UIKit)
public import UIKit
extension Image { public init(uiImage: UIImage) { self.init() } }
#elseif canImport(AppKit)
public import AppKit
extension Image { public init(nsImage: NSImage) { self.init() } }
#endif

// MARK: Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }
public struct EmptyView: View { nonisolated public init() {}; public var body: Never { fatalError() } }
public struct TupleView<T>: View { nonisolated init() {}; public var body: Never { fatalError() } }
public struct _ConditionalContent<A: View, B: View>: View { nonisolated init() {}; public var body: Never { fatalError() } }

@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> { .init() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> { .init() }
    public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> { .init() }
}

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: View { public var body: Never { fatalError() } }
public struct ModifiedContent<Content, Modifier> { nonisolated init() {} }
extension ModifiedContent: View where Content: View, Modifier: ViewModifier { public var body: Never { fatalError() } }

// MARK: Data

public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }
@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) { wrappedValue = value }
    public init(initialValue value: Value) { wrappedValue = value }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}
extension State: Sendable where Value: Sendable {}
// swiftui/scenestorage: a new window has none, and a window that the person closes takes its values along.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty {
    public init(_ key: String) where Value == String? {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
}
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}
extension Binding: @unchecked Sendable where Value: Sendable {}
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}
public struct EnvironmentValues {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value { get { K.defaultValue } set {} }
    public var scenePhase: ScenePhase { get { .active } set {} }
    public var horizontalSizeClass: UserInterfaceSizeClass? { get { nil } set {} }
}
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
// swiftui/userinterfacesizeclass, swiftui/environmentvalues/horizontalsizeclass
public enum UserInterfaceSizeClass: Sendable { case compact, regular }
// swiftui/scenephase
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// MARK: Modifiers

extension View {
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { .init() }
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { EmptyView() }
    // swiftui/view/task(priority:_:): it is canceled some time after the view has disappeared.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { EmptyView() }
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { EmptyView() }
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { EmptyView() }
    nonisolated public func overlay<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View { EmptyView() }
    // swiftui/view/scrollposition(id:anchor:)
    nonisolated public func scrollPosition(id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil) -> some View { EmptyView() }
    nonisolated public func scrollTargetLayout(isEnabled: Bool = true) -> some View { EmptyView() }
    // swiftui/view/oncontinueuseractivity(_:perform:)
    nonisolated public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> some View { EmptyView() }
    // swiftui/view/onopenurl(perform:): it brings universal links too.
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { EmptyView() }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    nonisolated public func disabled(_ disabled: Bool) -> some View { EmptyView() }
    nonisolated public func padding(_ length: CGFloat) -> some View { EmptyView() }
    nonisolated public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View { EmptyView() }
    nonisolated public func scaledToFit() -> some View { EmptyView() }
    nonisolated public func font(_ font: Font?) -> some View { EmptyView() }
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { .init() }
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { .init() }
    nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { EmptyView() }
    @_disfavoredOverload nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView() }
    nonisolated public func background<V: View>(_ background: V, alignment: Alignment = .center) -> some View { EmptyView() }
    nonisolated public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View { EmptyView() }
    nonisolated public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { EmptyView() }
}
public struct AccessibilityAttachmentModifier: ViewModifier { public func body(content: Content) -> some View { EmptyView() } }
public struct Alignment: Equatable, Sendable { public static let center = Alignment(), bottom = Alignment() }
public struct HorizontalAlignment: Equatable, Sendable { public static let center = Self(), leading = Self() }
public struct VerticalAlignment: Equatable, Sendable { public static let center = Self() }
public struct UnitPoint: Hashable, Sendable { public static let top = UnitPoint() }
public enum Edge: Sendable {
    public struct Set: OptionSet, Sendable {
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public let rawValue: Int8
        public static let all = Set(rawValue: 15)
    }
}
public protocol ShapeStyle: Sendable {}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material { public static var regularMaterial: Material { .init() } }
public struct Font: Hashable, Sendable { public static let headline = Font(), caption = Font() }

// MARK: Controls

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    public init(_ value: String) {}
    public init(stringLiteral value: String) {}
}
public struct Text: View, Equatable {
    public struct DateStyle: Sendable { public static let relative = DateStyle() }
    nonisolated public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}
    nonisolated public init(_ date: Date, style: DateStyle) {}
    nonisolated public func font(_ font: Font?) -> Text { self }
    public var body: Never { fatalError() }
}
public struct Image: View, Equatable {
    nonisolated init() {}
    public enum ResizingMode: Sendable { case tile, stretch }
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { self }
    public var body: Never { fatalError() }
}
public struct EdgeInsets: Equatable, Sendable { nonisolated public init() {} }
public struct Button<Label: View>: View {
    nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public var body: Never { fatalError() }
}
extension Button where Label == Text {
    nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}
public struct ProgressView<Label: View, CurrentValueLabel: View>: View { public var body: Never { fatalError() } }
extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView { nonisolated public init() {} }
public struct TextField<Label: View>: View { public var body: Never { fatalError() } }
extension TextField where Label == Text { nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {} }
public struct HStack<Content: View>: View {
    nonisolated public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct VStack<Content: View>: View {
    nonisolated public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct ScrollView<Content: View>: View {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View {
    public var body: Never { fatalError() }
    nonisolated public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
    nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
}
public struct List<SelectionValue: Hashable, Content: View>: View {
    nonisolated public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {}
    nonisolated public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, selection: Binding<SelectionValue?>?, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {}
    public var body: Never { fatalError() }
}
extension List where SelectionValue == Never {
    nonisolated public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {}
}
public struct NavigationLink<Label: View, Destination: View>: View { public var body: Never { fatalError() } }
extension NavigationLink where Label == Text, Destination == Never {
    @_disfavoredOverload nonisolated public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) {}
}
public struct NavigationStack<Data, Root: View>: View {
    nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {}
    public var body: Never { fatalError() }
}

// MARK: Views of UIKit and AppKit

#if canImport(UIKit)
// swiftui/uiviewrepresentable
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
    @MainActor @preconcurrency func updateUIView(_ uiView: UIViewType, context: Context)
    typealias Context = UIViewRepresentableContext<Self>
}
extension UIViewRepresentable { public var body: Never { fatalError() } }
#elseif canImport(AppKit)
// swiftui/nsviewrepresentable, swiftui/nsviewrepresentable/dismantlensview(_:coordinator:)
public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {}
@MainActor @preconcurrency public protocol NSViewRepresentable: View where Body == Never {
    associatedtype NSViewType: NSView
    associatedtype Coordinator = Void
    @MainActor @preconcurrency func makeNSView(context: Context) -> NSViewType
    @MainActor @preconcurrency func updateNSView(_ nsView: NSViewType, context: Context)
    @MainActor @preconcurrency static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator)
    typealias Context = NSViewRepresentableContext<Self>
}
extension NSViewRepresentable { public var body: Never { fatalError() } }
#endif

// MARK: Apps

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
extension App { @MainActor public static func main() {} }
@MainActor @preconcurrency public protocol Scene {}
@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: @escaping () -> Content) {}
}
