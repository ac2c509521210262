/// The static description of a flow, available without running it.
///
/// ```swift
/// static let flow = FlowDescription(
///   "kanji-detail", title: "A kanji", summary: "Shows what a kanji means.",
///   input: Form(Field("kanji", .string(title: "Kanji"))))
/// ```
public struct FlowDescription: Sendable, Hashable {
  /// The name by which the flow is started, such as `schedule-visit`. Stable.
  public var name: String
  /// The title for people, which can be translated.
  public var titleText: Text
  /// The purpose of the flow, in one sentence, which can be translated.
  public var summaryText: Text
  /// The input that the flow accepts. Any other input is refused before the flow is started.
  public var input: Form
  /// The version of the stored values. Raise it by one whenever `State`, `Route` or `Work` change so that stored values
  /// can no longer be decoded.
  public var version: Int
  /// The router that the flow uses when it is started on its own.
  public var router: RouterKind
  /// Whether the flow may be played as a rehearsal: whatever is answered, neither it nor the flows that it starts
  /// change anything outside it.
  public var isRehearsable: Bool
  /// Whether the user may leave the flow before it has ended by itself: by Back on its first screen, or by dismissing
  /// it.
  public var canBeLeft: Bool
  /// Whether only other flows may start the flow. It is not listed, and clients cannot start it.
  public var isInternal: Bool
  /// Whether at most one instance of the flow runs on its own at a time.
  public var isSingleton: Bool
  /// Whether the flow is a part of others: it can be started on its own, but front ends do not offer it to users.
  public var isPart: Bool

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - name: the name by which the flow is started, 1 to 128 bytes; stable.
  ///   - title: the title for people.
  ///   - summary: the purpose of the flow, in one sentence.
  ///   - input: the input that the flow accepts; no secrets.
  ///   - version: the version of the stored values.
  ///   - router: the router that the flow uses when it is started on its own.
  ///   - isRehearsable: whether the flow may be played as a rehearsal, because neither it nor the flows that it starts
  ///     change anything outside it.
  ///   - canBeLeft: whether the user may leave the flow before it has ended by itself.
  ///   - isInternal: whether only other flows may start the flow.
  ///   - isSingleton: whether at most one instance of the flow runs on its own at a time.
  ///   - isPart: whether the flow is a part of others, which front ends do not offer to users.
  public init(
    _ name: String, title: Text, summary: Text = "", input: Form = Form(), version: Int = 1,
    router: RouterKind = .navigation, isRehearsable: Bool = false, canBeLeft: Bool = true, isInternal: Bool = false,
    isSingleton: Bool = false, isPart: Bool = false
  ) {
    self.name = name
    titleText = title
    summaryText = summary
    self.input = input
    self.version = version
    self.router = router
    self.isRehearsable = isRehearsable
    self.canBeLeft = canBeLeft
    self.isInternal = isInternal
    self.isSingleton = isSingleton
    self.isPart = isPart
  }

  /// The title for people, in English.
  public var title: String { titleText.resolved(in: nil) }
  /// The purpose of the flow, in one sentence, in English.
  public var summary: String { summaryText.resolved(in: nil) }

  /// The flow's name as a path element: every character outside `[A-Za-z0-9_]` is replaced by `_`.
  public var element: String {
    String(String.UnicodeScalarView(name.unicodeScalars.map(Self.elementScalar)))
  }

  private static func elementScalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "_": scalar
    default: "_"
    }
  }
}
