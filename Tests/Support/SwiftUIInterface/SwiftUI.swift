// The part of SwiftUI's interface that the view template uses, so that the template can be compiled without SwiftUI.
// Signatures are as Apple documents them; bodies do nothing.

public import Foundation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public typealias Body = Never
}

extension View where Body == Never {
  public var body: Never { fatalError("has no body") }
}

public struct EmptyView: View, Sendable {
  public typealias Body = Never
  public nonisolated init() {}
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

// swift-format-ignore: UseSynthesizedInitializer
public struct TupleView<Content>: View {
  public typealias Body = Never
  nonisolated init() {}
}

// swift-format-ignore: NoLeadingUnderscores, UseSynthesizedInitializer
public struct _ConditionalContent<First: View, Second: View>: View {
  public typealias Body = Never
  nonisolated init() {}
}

@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
}

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
}

public struct Font: Hashable, Sendable {
  public static let headline = Font()
  public static let footnote = Font()
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }

public struct VStack<Content: View>: View {
  public typealias Body = Never
  public nonisolated init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}
}

public struct Text: View, Sendable {
  public typealias Body = Never
  public nonisolated init(verbatim content: String) {}
  @_disfavoredOverload
  public nonisolated init<Content: StringProtocol>(_ content: Content) {}
  public nonisolated init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {}
  public nonisolated func font(_ font: Font?) -> Text { self }
}

public struct Button<Label: View>: View {
  public typealias Body = Never
}

extension Button where Label == Text {
  public nonisolated init(
    _ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void
  ) {}
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
  public typealias Body = Never
}

extension ProgressView where CurrentValueLabel == EmptyView, Label == Text {
  public nonisolated init(_ titleKey: LocalizedStringKey) {}
  public nonisolated init<Value: BinaryFloatingPoint>(
    _ titleKey: LocalizedStringKey, value: Value?, total: Value = 1.0
  ) {}
}

public struct ShareLink<Data: RandomAccessCollection, Label: View>: View {
  public typealias Body = Never
  public nonisolated init(items: Data, @ViewBuilder label: () -> Label) where Data.Element == URL {}
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError("has no value") }
    nonmutating set {}
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() {}
}

extension View {
  public nonisolated func padding(_ length: CGFloat? = nil) -> some View { self }
  public nonisolated func disabled(_ disabled: Bool) -> some View { self }
  public nonisolated func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
}

@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {
  public var body: Never { fatalError("has no body") }
}

extension Scene where Body == Never {
  public var body: Never { fatalError("has no body") }
}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public typealias Body = Never
  public nonisolated init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor public static func main() {}
}

public struct List<Content: View>: View {
  public typealias Body = Never
  public nonisolated init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable {}
}
