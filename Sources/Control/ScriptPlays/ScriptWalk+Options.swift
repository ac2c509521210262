import Forms

extension ScriptWalk {
  /// What to walk.
  package struct Options: Sendable {
    /// Whether steps without a stub are executed.
    package var isReal = false
    package var bounds = WalkBounds()
    /// Whether it is a problem if not all paths are walked.
    package var isComplete = false
    /// Whether Back is tried at every question.
    package var goesBack = false
    /// The values to send with forms, by the name of the question, in place of generated ones.
    package var values: [String: [[String: JSONValue]]] = [:]
    /// The languages in which texts are compared.
    package var languages: [String] = []

    /// Creates the usual options.
    package init() {}
  }
}
