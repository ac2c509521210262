import Languages

/// The other people who have the flow open, and the button that leads to a phone, if phones can reach the server. Below the
/// page, so that nothing moves.
struct CompanyMarkup: Sendable {
  let links: Links
  /// The name of the flow tree.
  let tree: String
  let token: FormToken
  /// The sentence about the other people; empty if there are none.
  let people: String
  /// Whether phones can reach the server.
  let isReachable: Bool

  /// The markup.
  var html: HTML {
    tag("footer", .id("company"), .class("company"), .english) {
      tag("p", .id("people"), .class("people"), Attribute("data-people", people)) { people }
      if isReachable {
        tag("form", .id("phone"), Attribute("method", "post"), Attribute("action", links.phone(of: tree))) {
          token.hidden()
          tag("button", .class("aside-button")) { Text("Continue on your phone").string }
        }
      }
    }
  }
}
