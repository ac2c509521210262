import Languages

extension Form {
  /// Returns the form in a language.
  ///
  /// - Parameter language: the language; nil for the English originals.
  /// - Returns: the form with the translated titles, summaries, messages and choices. Texts without a translation stay English.
  public func translated(to language: Translations.Language?) -> Form {
    guard let language else { return self }
    return Form(fields.map { $0.translated(to: language) })
  }
}

extension Field {
  fileprivate func translated(to language: Translations.Language) -> Field {
    var field = self
    field.schema = schema.translated(to: language)
    return field
  }
}

extension Schema {
  fileprivate func translated(to language: Translations.Language) -> Schema {
    var schema = self
    if let title = texts.title { schema.title = title.resolved(in: language) }
    if let summary = texts.summary { schema.summary = summary.resolved(in: language) }
    if let message = texts.message { schema.annotations[Keyword.message] = .string(message.resolved(in: language)) }
    switch rule {
    case .choice(let choices): schema.rule = .choice(choices.map { $0.translated(to: language) })
    case .object(let fields): schema.rule = .object(fields.map { $0.translated(to: language) })
    case .list(var list):
      list.items = list.items.translated(to: language)
      schema.rule = .list(list)
    case .text, .integer, .number, .boolean: break
    }
    return schema
  }
}

extension Schema.Choice {
  fileprivate func translated(to language: Translations.Language) -> Schema.Choice {
    guard let title = texts.title else { return self }
    var choice = self
    choice.title = title.resolved(in: language)
    return choice
  }
}
