/// A browser that shows a flow tree.
struct Visitor: Sendable, Hashable {
  /// The identity of the browser: its session's cookie, which is never disclosed.
  let id: Token
  /// The name that other people see.
  let name: String
}
