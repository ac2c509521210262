/// The hidden controls of a form.
struct FormToken: Sendable {
  /// What shows that the form is from a page of ours.
  let csrf: Token

  /// Controls that a form brings back unchanged.
  ///
  /// - Parameter values: Names and values besides the token.
  /// - Returns: The controls.
  func hidden(_ values: (name: String, value: String)...) -> HTML {
    group {
      for (name, value) in [(RequestGuard.tokenField, csrf.text)] + values {
        void("input", Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
      }
    }
  }
}
