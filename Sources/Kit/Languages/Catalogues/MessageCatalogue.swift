import Platform

/// The translations of one file, as msgfmt compiles them (`.mo`).
///
/// gettext(3) is not used, because it translates to the one locale of the process, and each flow tree has its own language.
public struct MessageCatalogue: Sendable {
  /// The greatest size of a file, and of all its strings together.
  public static let maximumSize = 16 << 20

  private let content: Content

  /// The data that all copies share, so that a lookup retains one object and not each dictionary.
  private final class Content: Sendable {
    let pluralRule: PluralRule
    let header: [String: String]
    let messages: Messages

    init(header: CatalogueHeader, messages: Messages) throws(MessageCatalogueError.Reason) {
      pluralRule = try header.pluralRule()
      self.header = header.fields
      self.messages = messages
    }

    init(_ messages: Messages) {
      pluralRule = .germanic
      header = [:]
      self.messages = messages
    }
  }

  /// The translations by key: one, or those of the plural forms.
  struct Messages: Sendable {
    var plain: [String: [String]] = [:]
    /// The translations with a context, by context. Nested, so that a lookup allocates nothing.
    var byContext: [String: [String: [String]]] = [:]
  }

  /// Creates a catalogue of texts that do not depend on numbers and have no context, for tests.
  ///
  /// - Parameter translations: the translations, by their English original.
  public init(_ translations: [String: String]) {
    content = Content(Messages(plain: translations.mapValues { [$0] }))
  }

  /// Reads a catalogue from memory.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: the path of the file, for the error.
  /// - Throws: ``MessageCatalogueError``.
  public init(bytes: [UInt8], file: String = "") throws(MessageCatalogueError) {
    do throws(MessageCatalogueError.Reason) {
      var reader = try CatalogueReader(bytes: bytes)
      let (header, messages) = try reader.read()
      content = try Content(header: header, messages: messages)
    } catch {
      throw MessageCatalogueError(file: file, reason: error)
    }
  }

  /// Reads a catalogue from a file of at most ``maximumSize`` bytes.
  ///
  /// - Parameter file: the path.
  /// - Throws: ``MessageCatalogueError``.
  public init(file: String) throws(MessageCatalogueError) {
    let bytes: [UInt8]
    do throws(MessageCatalogueError.Reason) {
      bytes = try CatalogueFile.bytes(of: file)
    } catch {
      throw MessageCatalogueError(file: file, reason: error)
    }
    try self.init(bytes: bytes, file: file)
  }

  /// The number of messages, without the header.
  public var count: Int {
    content.messages.byContext.values.reduce(content.messages.plain.count) { $0 + $1.count }
  }

  /// The rule that selects the plural form for a number.
  public var pluralRule: PluralRule { content.pluralRule }

  /// Returns a field of the header.
  ///
  /// - Parameter name: the name, such as `Language`, in any case.
  /// - Returns: the value; nil if there is no such field.
  public func headerField(_ name: String) -> String? { content.header[name.bytes.lowercased] }

  /// Returns the translation of a text that does not depend on a number.
  ///
  /// - Parameters:
  ///   - key: the English original.
  ///   - context: the context.
  /// - Returns: the translation; nil if there is none. Of a text with plural forms, the first.
  public func translation(of key: String, context: String? = nil) -> String? { forms(of: key, context)?.first }

  /// Returns the translation of a text that depends on a number.
  ///
  /// - Parameters:
  ///   - key: the English original for the number 1.
  ///   - context: the context.
  ///   - count: the number.
  /// - Returns: the form for the number; nil if there is no translation. Of a text without plural forms, its only one.
  public func translation(of key: String, context: String? = nil, count: Int) -> String? {
    guard let forms = forms(of: key, context) else { return nil }
    // A catalogue may have fewer forms than its header says.
    return forms[min(pluralRule.index(for: count), forms.count - 1)]
  }

  /// The translations of a key; not empty.
  private func forms(of key: String, _ context: String?) -> [String]? {
    guard let context else { return content.messages.plain[key] }
    return content.messages.byContext[context]?[key]
  }
}
