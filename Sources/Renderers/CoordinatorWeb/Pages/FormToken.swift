/// The hidden controls of a form.
struct FormToken: Sendable {
  /// The token that proves that the form comes from a page of this server.
  let csrf: Token

  /// Returns hidden controls, which a form sends back unchanged.
  ///
  /// - Parameter values: names and values in addition to the token.
  /// - Returns: the controls.
  func hidden(_ values: (name: String, value: String)...) -> HTML {
    group {
      for (name, value) in [(RequestGuard.tokenField, csrf.text)] + values {
        void("input", Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
      }
    }
  }
}
