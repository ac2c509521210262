/// Words of screens that code without translations has made, such as programs in C.
extension Screen {
  /// Translates those texts of the screen that are known English originals to the language of the current task. What an author
  /// has written is another text, and stays.
  ///
  /// - Parameter words: the texts by their originals.
  /// - Returns: the screen; unchanged if the language is English.
  package func translated(by words: [String: Text]) -> Screen {
    guard let language = Translation.current else { return self }
    // A paragraph may follow an author's.
    func translated(_ text: String) -> String {
      if let word = words[text] { return word.resolved(in: language) }
      guard text.bytes.contains("\n\n") else { return text }
      let paragraphs = text.bytes.split(separator: "\n\n", omittingEmptySubsequences: false).map(String.init)
      return paragraphs.map { words[$0]?.resolved(in: language) ?? $0 }.joined(separator: "\n\n")
    }
    var screen = self
    (screen.title, screen.body) = (translated(title), translated(body))
    for index in actions.indices { screen.actions[index].title = translated(actions[index].title) }
    for index in messages.indices { screen.messages[index].text = translated(messages[index].text) }
    for (index, item) in (items ?? []).enumerated() where item.disabled != nil {
      screen.items?[index].disabled = item.disabled.map(translated)
    }
    if let form { screen.form = Form(form.fields.map { $0.with(translated) }) }
    return screen
  }

  /// Returns the words by their originals, for ``translated(by:)``.
  package static func words(_ texts: [Text]) -> [String: Text] {
    Dictionary(texts.map { ($0.resolved(in: nil), $0) }) { first, _ in first }
  }
}

extension Field {
  /// Returns the field with other words.
  fileprivate func with(_ translated: (String) -> String) -> Field {
    var field = self
    field.schema.title = schema.title.map(translated)
    field.schema.summary = schema.summary.map(translated)
    return field
  }
}
