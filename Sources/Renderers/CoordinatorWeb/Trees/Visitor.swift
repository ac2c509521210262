/// A browser that shows a flow tree.
struct Visitor: Sendable, Hashable {
  /// Tells browsers apart; its session's cookie, which is passed to nobody.
  let id: Token
  /// The name that other people see.
  let name: String
}
