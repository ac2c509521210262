/// The program that a screen comes from, for renderers that show it: a form that asks for a password should say whose it
/// is.
public struct ScreenOrigin: Sendable, Hashable {
  /// The well-known name of the program on the bus; "" for one without a name.
  public var name: String
  /// What the program is called; nil if no file says it.
  public var title: String?

  /// Creates an origin.
  public init(name: String, title: String? = nil) {
    self.name = name
    self.title = title
  }
}
