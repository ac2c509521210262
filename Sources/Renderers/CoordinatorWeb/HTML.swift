import Languages
import Platform

/// Markup that is safe to send. It cannot be created from a string without escaping.
public struct HTML: Sendable, Hashable {
  /// The serialized markup.
  public private(set) var markup: String

  /// Creates empty markup.
  public init() { markup = "" }

  /// Creates markup for displayed text. Escapes it, and removes characters that override the text direction.
  public init(text: String) {
    self.init(exactly: String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isOverride })))
  }

  /// Creates markup for a value that is sent back, such as an attribute. Escapes it, and keeps all other characters.
  init(exactly text: String) {
    markup = MarkupText.html(text)
  }

  /// Creates HTML from markup that is complete and escaped.
  init(markup: Substring) { self.markup = String(markup) }

  /// Concatenates markup.
  init(_ parts: [HTML]) { markup = parts.reduce(into: "") { $0 += $1.markup } }

  /// Creates an element.
  ///
  /// - Parameters:
  ///   - name: name of the element.
  ///   - attributes: attributes of the element.
  ///   - content: content of the element; nil for a void element.
  init(_ name: StaticString, _ attributes: [Attribute], content: HTML?) {
    markup = "<\(name)"
    for attribute in attributes { markup += attribute.markup ?? "" }
    markup += ">"
    if let content { markup += content.markup + "</\(name)>" }
  }

  /// Creates a whole document, including the doctype.
  ///
  /// - Parameter root: `html` element.
  /// - Returns: the document.
  static func document(_ root: HTML) -> HTML {
    var document = HTML()
    document.markup = "<!doctype html>\n" + root.markup + "\n"
    return document
  }

  /// Whether there is no markup.
  var isEmpty: Bool { markup.isEmpty }
}

extension Unicode.Scalar {
  /// Whether the scalar overrides or isolates the direction of the following text.
  fileprivate var isOverride: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

/// An attribute of an element. Its name is always a literal in the source code.
struct Attribute: Sendable {
  /// The attribute with a leading space; nil if it is omitted.
  let markup: String?

  /// Creates an attribute; omitted if the value is nil.
  init(_ name: StaticString, _ value: String?) {
    markup = value.map { " \(name)=\"\(HTML(exactly: $0).markup)\"" }
  }

  /// Creates a Boolean attribute; omitted if it is false.
  static func flag(_ name: StaticString, _ isThere: Bool = true) -> Attribute {
    isThere ? Attribute(flag: name) : Attribute(name, nil)
  }

  private init(flag name: StaticString) { markup = " \(name)" }

  /// The attributes of text that comes from the flow of the page. It is in the language of the page, and its direction
  /// follows its letters.
  static let ofFlow = Attribute(literally: " dir=\"auto\"")

  /// Returns the attributes of text from a flow on a page in another language.
  ///
  /// - Parameter language: language of the text; nil if it is not known.
  /// - Returns: the attributes.
  static func ofFlow(in language: LanguageTag?) -> Attribute {
    Attribute(literally: " lang=\"\(HTML(exactly: language?.bcp47 ?? "").markup)\" dir=\"auto\"")
  }

  /// The attribute of the renderer's own words on a page in the language of a flow: marks them as English, if they are.
  static var english: Attribute { Attribute("lang", Translation.current == nil ? LanguageTag.english.bcp47 : nil) }

  private init(literally markup: String) { self.markup = markup }

  static func `class`(_ value: String?) -> Attribute { Attribute("class", value) }
  static func id(_ value: String?) -> Attribute { Attribute("id", value) }
}

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

/// Concatenates markup. Strings are escaped.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
  static func buildExpression(_ text: Text) -> HTML { HTML(text: text.string) }
  static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
  static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
}

/// Returns an element with content.
func tag(_ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// Returns an element with content and a list of attributes.
func tag(_ name: StaticString, _ attributes: [Attribute], @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// Returns a void element, such as `input`, `link` or `meta`.
func void(_ name: StaticString, _ attributes: Attribute...) -> HTML { HTML(name, attributes, content: nil) }

/// Returns a void element with a list of attributes.
func void(_ name: StaticString, _ attributes: [Attribute]) -> HTML { HTML(name, attributes, content: nil) }

/// Returns markup without an enclosing element.
func group(@HTMLBuilder content: () -> HTML) -> HTML { content() }
