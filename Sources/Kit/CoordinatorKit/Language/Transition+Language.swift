import Languages

extension TreeState {
  /// The language in which the tree's screens are shown; nil for English.
  public var language: LanguageTag? { languageName.flatMap { try? LanguageTag($0) } }

  /// The name of ``language``.
  var languageName: String? {
    get { coordinators[root]?.belongings.language }
    set { coordinators[root]?.belongings.language = newValue }
  }
}

extension Transition {
  /// What still has to be done after the language has changed.
  enum Redrawing: Sendable {
    case none
    /// All screens.
    case all
    /// Those that show the answers of others, which are known in the new language only now.
    case reviewers
  }

  /// The language in which screens are computed now; nil for English.
  var translation: Translations.Language? { after.language.flatMap(catalogue.translations.language(for:)) }

  /// Runs a closure in whose texts the language of the tree is set.
  func speaking<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let translation else { return try body() }
    return try Translation.$current.withValue(translation) { try body() }
  }

  /// Changes the language of the tree, and has all screens computed again after the handlers.
  mutating func changeLanguage(to language: LanguageTag) {
    // Otherwise, screens that change the language while they are computed would never be done.
    guard after.languageName != language.description, !hasBegunToRedraw else { return }
    after.languageName = language.description
    touched.insert(after.root)
    redrawing = .all
  }

  /// Schedules the next part of what still has to be done.
  mutating func scheduleRedrawing() {
    hasBegunToRedraw = true
    switch redrawing {
    case .none: break
    case .all:
      redrawing = .reviewers
      steps += after.coordinatorsInOrder.filter { window.hasScreens(of: $0.path) }.map { .redraw($0.path) }
    case .reviewers:
      redrawing = .none
      steps += after.coordinatorsInOrder.filter { reviewers.contains($0.path) }.map { .redraw($0.path) }
    }
  }
}

extension Transition.Step {
  /// Whether the step calls a handler, rather than only computing screens.
  var callsHandler: Bool {
    if case .redraw = self { false } else { true }
  }
}
