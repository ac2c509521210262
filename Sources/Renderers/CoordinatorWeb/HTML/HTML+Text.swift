import Languages

extension HTML {
  /// Creates the markup of a sentence that contains elements.
  ///
  /// - Parameters:
  ///   - text: the sentence, in which placeholders such as `{title}` stand for the elements.
  ///   - elements: the elements by the names of their placeholders.
  init(_ text: Text, _ elements: KeyValuePairs<String, HTML>) {
    let whole = HTML(text: text.string).markup
    var rest = whole[...]
    var markup = ""
    while let start = rest.firstIndex(of: "{") {
      let name = rest[rest.index(after: start)...].prefix { $0 != "}" }
      if name.endIndex < rest.endIndex, let element = elements.first(where: { $0.key == name }) {
        markup += rest[..<start] + element.value.markup
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        markup += rest[...start]
        rest = rest[rest.index(after: start)...]
      }
    }
    self.init(markup: Substring(markup) + rest)
  }
}
