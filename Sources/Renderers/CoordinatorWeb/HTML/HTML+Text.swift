import Languages
import Platform

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
    while let (before, after) = rest.bytes.cut(at: "{") {
      markup += before
      if let (name, end) = after.bytes.cut(at: "}"), let element = elements.first(where: { $0.key == name }) {
        markup += element.value.markup
        rest = end
      } else {
        markup += "{"
        rest = after
      }
    }
    self.init(markup: Substring(markup) + rest)
  }
}
