/// A text that users read, in the language in which it is shown.
///
/// A text is not a string: it consists of the English original, which is also the key of its translations, and the values to
/// insert. It becomes a string when a screen is computed, in the language of the flow tree.
///
/// ```swift
/// let title: Text = "What is the visit for?"
/// let body = Text("Welcome, {name}", ["name": account.name])
/// let count = Text(one: "{count} appointment", other: "{count} appointments", count: appointments.count)
/// let proper = Text(verbatim: product.title)
/// ```
///
/// Values replace placeholders in braces; `{{` and `}}` stand for single braces. A placeholder without a value stays unchanged,
/// so that the mistake is visible. String interpolation would change the key, and does not compile.
public struct Text: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    case verbatim(String)
    /// A key without anything else, as in most texts. It is stored inline, so that creating one allocates nothing.
    case key(String)
    indirect case message(Message)
  }

  /// A key with values, a context or plural forms.
  struct Message: Sendable, Hashable {
    var key: String
    var context: String?
    var plural: Plural?
    var values: Values
  }

  /// The plural forms of a message that depends on a number.
  struct Plural: Sendable, Hashable {
    /// The English original for every number but one.
    var other: String
    var count: Int
  }

  let content: Content

  /// Creates a text from its key.
  ///
  /// - Parameters:
  ///   - key: the English original, with placeholders such as `{name}`.
  ///   - values: the values of the placeholders, by name.
  ///   - context: distinguishes this text from another one with the same original, such as `verb`; translators read it.
  public init(_ key: Key, _ values: Values = [:], context: Key? = nil) {
    self.init(Message(key: key.text, context: context?.text, plural: nil, values: values))
  }

  /// Creates a text that depends on a number. The placeholder `{count}` stands for the number.
  ///
  /// - Parameters:
  ///   - one: the English original for the number 1, such as `{count} appointment`.
  ///   - other: the English original for all other numbers.
  ///   - count: the number.
  ///   - values: the values of the other placeholders, by name.
  ///   - context: distinguishes this text from another one with the same original; translators read it.
  public init(one: Key, other: Key, count: Int, _ values: Values = [:], context: Key? = nil) {
    let plural = Plural(other: other.text, count: count)
    self.init(Message(key: one.text, context: context?.text, plural: plural, values: values))
  }

  /// Creates a text that is the same in all languages, such as a name or a text from another program.
  ///
  /// - Parameter text: the text. Braces in it have no meaning.
  public init(verbatim text: String) { content = .verbatim(text) }

  /// Explains why a string is not a text.
  ///
  /// - Parameter text: a string that no catalogue of translations can know.
  @available(
    *, unavailable,
    message: "a text is found by its key: write Text(\"Welcome, {name}\", [\"name\": name]), or Text(verbatim:)"
  )
  public init(_ text: String) { content = .verbatim(text) }

  init(_ message: Message) {
    let isPlain = message.context == nil && message.plural == nil && message.values.isEmpty
    content = isPlain ? .key(message.key) : .message(message)
  }

  /// The English original, which is the key of the translations; nil if the text is verbatim.
  public var key: String? {
    switch content {
    case .verbatim: nil
    case .key(let key): key
    case .message(let message): message.key
    }
  }
}

extension Text: ExpressibleByStringLiteral {
  /// Creates a text whose key is a literal.
  ///
  /// - Parameter key: the English original.
  public init(stringLiteral key: String) { content = .key(key) }
}
