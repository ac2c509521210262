import Languages

extension Coordinator {
  /// The language of the flow tree: the one that it was started with, or that a coordinator has chosen since; nil if
  /// neither, which means English. Always nil outside handlers.
  public var language: LanguageTag? { context.scope?.transition.after.language }

  /// The languages that the flows are translated to, sorted by tag. English is always one of them. Use it for a screen on
  /// which the user chooses a language. Always empty outside handlers.
  public var languages: [Translations.Language] { context.scope?.transition.catalogue.translations.languages ?? [] }

  /// Changes the language of the whole flow tree. All screens are computed again in this transition, after its handlers.
  ///
  /// ```swift
  /// case .language: setLanguage(try LanguageTag(event.selection ?? ""))
  /// ```
  ///
  /// What a handler has made into a string stays as it is: so keep a ``Text`` in state and routes, not its string. Work
  /// that is running goes on reporting progress in the language in which it was started.
  ///
  /// - Parameter language: the language. Texts without a translation are shown in English.
  public func setLanguage(_ language: LanguageTag) {
    context.change { transition, _ in transition.changeLanguage(to: language) }
    context.record { _, _ in .setLanguage(language.description) }
  }
}
