/// Markup that is safe to send. There is no way to make one of a text without escaping the text.
public struct HTML: Sendable, Hashable {
  /// The markup.
  public private(set) var markup: String

  /// Nothing.
  public init() { markup = "" }

  /// A text to read, with all that means something in markup escaped, and without what could turn other text around.
  public init(text: String) {
    self.init(exactly: String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isOverride })))
  }

  /// A text that is a value and is sent back, with all that means something in markup escaped.
  init(exactly text: String) {
    markup = ""
    markup.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let escaped = scalar.escaped { markup += escaped } else { markup.unicodeScalars.append(scalar) }
    }
  }

  /// Several pieces, one after the other.
  init(_ parts: [HTML]) { markup = parts.reduce(into: "") { $0 += $1.markup } }

  /// An element.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - attributes: Its attributes.
  ///   - content: What is in it; nil for an element that has no end.
  init(_ name: StaticString, _ attributes: [Attribute], content: HTML?) {
    markup = "<\(name)"
    for attribute in attributes { markup += attribute.markup ?? "" }
    markup += ">"
    if let content { markup += content.markup + "</\(name)>" }
  }

  /// A whole page.
  ///
  /// - Parameter root: The element `html`.
  /// - Returns: The page.
  static func document(_ root: HTML) -> HTML {
    var document = HTML()
    document.markup = "<!doctype html>\n" + root.markup + "\n"
    return document
  }

  /// Whether there is nothing.
  var isEmpty: Bool { markup.isEmpty }
}

extension Unicode.Scalar {
  /// What it is in markup, in a text or in an attribute in double quotes; nil if it stands for itself.
  fileprivate var escaped: String? {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    // HTML has no NUL.
    case "\0": "\u{FFFD}"
    case "\n", "\t": nil
    default: isControl ? "&#\(value);" : nil
    }
  }

  fileprivate var isControl: Bool { properties.generalCategory == .control }

  /// Whether it turns the text after it around.
  fileprivate var isOverride: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

/// An attribute of an element; its name is always written in the source code.
struct Attribute: Sendable {
  /// As it stands in a tag, with a space in front; nil if it is left out.
  let markup: String?

  /// An attribute with a value; left out if there is none.
  init(_ name: StaticString, _ value: String?) {
    markup = value.map { " \(name)=\"\(HTML(exactly: $0).markup)\"" }
  }

  /// An attribute that is there or not.
  static func flag(_ name: StaticString, _ isThere: Bool = true) -> Attribute {
    isThere ? Attribute(flag: name) : Attribute(name, nil)
  }

  private init(flag name: StaticString) { markup = " \(name)" }

  /// For a text of the flow's: it may be in any language, whatever the page's own words are in, and is read the way its letters are.
  static let ofFlow = Attribute(literally: " lang=\"\" dir=\"auto\"")

  private init(literally markup: StaticString) { self.markup = "\(markup)" }

  static func `class`(_ value: String?) -> Attribute { Attribute("class", value) }
  static func id(_ value: String?) -> Attribute { Attribute("id", value) }
}
