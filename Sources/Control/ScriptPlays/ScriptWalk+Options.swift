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

extension ExploredFlow {
  /// Notes which checks were not made, at the end of a walk.
  mutating func skip(by options: ScriptWalk.Options) {
    if !options.goesBack { skipped.insert(.wrongBack) }
    if options.languages.isEmpty { skipped.insert(.untranslated) }
    if bound != nil { skipped.insert(.incomplete) }
    if paths == 0, !startsOver { skipped.insert(.noPaths) }
  }
}
