/// What can be said of a flow without running it.
public struct FlowDescription: Sendable, Hashable {
  /// The name that it is started by: `schedule-visit`. Stable.
  public var name: String
  /// What people call it.
  public var title: String
  /// What it is for, in a sentence.
  public var summary: String
  /// What its input may hold; anything else is refused before the flow sees it.
  public var input: Form
  /// The version of its state, raised by one whenever `State`, `Route` or `Work` change in a way that stored ones cannot be decoded.
  public var version: Int
  /// The router it gets when it is started on its own.
  public var router: RouterKind
  /// Whether it may be played just to try it: nothing outside of it changes, whatever is answered, nor by the flows that it starts.
  public var isRehearsable: Bool

  /// Describes a flow.
  ///
  /// - Parameters:
  ///   - name: what it is started by, 1 to 128 bytes; stable.
  ///   - title: what people call it.
  ///   - summary: what it is for, in a sentence.
  ///   - input: what its input may hold; no secrets.
  ///   - version: the version of its state.
  ///   - router: the router it gets when it is started on its own.
  ///   - isRehearsable: whether it may be played just to try it, since it changes nothing outside of it, nor do the flows that it starts.
  public init(
    _ name: String, title: String, summary: String = "", input: Form = Form(), version: Int = 1,
    router: RouterKind = .navigation, isRehearsable: Bool = false
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.input = input
    self.version = version
    self.router = router
    self.isRehearsable = isRehearsable
  }

  /// The flow's name as a path element: every character outside `[A-Za-z0-9_]` replaced by `_`.
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
