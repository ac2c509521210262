import Glibc
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

/// Reads whole files, without Foundation.
enum CatalogueFile {
  /// Returns the content of a regular file of at most ``MessageCatalogue/maximumSize`` bytes.
  static func bytes(of path: String) throws(MessageCatalogueError.Reason) -> [UInt8] {
    // Opening a pipe without O_NONBLOCK would wait for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= MessageCatalogue.maximumSize else { throw .tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      // The file may grow while it is read.
      guard bytes.count <= MessageCatalogue.maximumSize else { throw .tooLarge }
    }
  }

  /// Whether there is nothing at a path.
  static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }

  /// Returns the names in a directory, sorted; empty if there is no such directory.
  static func names(in directory: String) throws(MessageCatalogueError.Reason) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return [] }
      throw failure()
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    guard errno == 0 else { throw failure() }
    return names.sorted()
  }

  private static func failure() -> MessageCatalogueError.Reason { .unreadable(String(cString: strerror(errno))) }
}

/// The reason why a catalogue of translations cannot be read.
public struct MessageCatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Error, Sendable, Hashable {
    /// The system cannot open or read the file, for the reason that is given.
    case unreadable(String)
    /// The path is not a regular file, but a directory, a device or similar.
    case notRegular
    /// The file has more than ``MessageCatalogue/maximumSize`` bytes, or its messages would have.
    case tooLarge
    /// The file does not begin like a file by msgfmt.
    case notCatalogue
    /// The major revision is neither 0 nor 1.
    case unknownRevision(UInt32)
    /// The file refers to bytes after its end.
    case truncated
    /// A string does not end where its length says.
    case unterminated(message: Int)
    /// A string is not UTF-8.
    case notUTF8(message: Int)
    /// The header names a character set other than UTF-8 or ASCII.
    case characterSet(String)
    /// The header has an invalid field `Plural-Forms`.
    case pluralRule(PluralRuleError)
  }

  /// The path of the file; empty if the catalogue was not read from a file.
  public let file: String
  /// The reason.
  public let reason: Reason

  /// A message with the path of the file and the reason.
  public var description: String { file.isEmpty ? "\(reason)" : "\(file): \(reason)" }
}

extension MessageCatalogueError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notRegular: "not a regular file"
    case .tooLarge: "larger than \(MessageCatalogue.maximumSize >> 20) MiB"
    case .notCatalogue: "not a catalogue of translations; create it with msgfmt"
    case .unknownRevision(let revision): "unknown major revision \(revision) of the file format"
    case .truncated: "truncated or damaged; create it again with msgfmt"
    case .unterminated(let message): "message \(message) is not terminated; create the file again with msgfmt"
    case .notUTF8(let message): "message \(message) is not UTF-8; convert the .po file with msgconv --to-code=UTF-8"
    case .characterSet(let name): "character set '\(name)' is not supported; convert the .po file with msgconv --to-code=UTF-8"
    case .pluralRule(let error): "\(error)"
    }
  }
}

/// Reads the bytes of a `.mo` file. Every access is checked, because files may be damaged.
///
/// The format is described in the manual of gettext, "The Format of GNU MO Files": seven numbers, a table of originals,
/// a table of translations (length and offset of each), and the strings, each followed by a null byte. The hash table
/// is not used: a dictionary takes its place.
struct CatalogueReader {
  private static let magic: UInt32 = 0x9504_12DE
  private static let separatorOfContext: UInt8 = 4

  private let bytes: [UInt8]
  private let isSwapped: Bool
  /// The number of bytes of strings that may still be decoded. Without this limit, a small file whose strings overlap could
  /// expand to very many bytes.
  private var budget = MessageCatalogue.maximumSize

  init(bytes: [UInt8]) throws(MessageCatalogueError.Reason) {
    guard bytes.count <= MessageCatalogue.maximumSize else { throw .tooLarge }
    self.bytes = bytes
    switch Self.number(in: bytes, at: 0) {
    case Self.magic: isSwapped = false
    case Self.magic.byteSwapped: isSwapped = true
    default: throw .notCatalogue
    }
  }

  mutating func read() throws(MessageCatalogueError.Reason) -> (CatalogueHeader, MessageCatalogue.Messages) {
    // A new minor revision only adds strings that other readers may ignore: those with formats of C's <inttypes.h>.
    let major = try number(at: 4) >> 16
    guard major <= 1 else { throw .unknownRevision(major) }
    let count = Int(try number(at: 8))
    let (originals, translations) = (Int(try number(at: 12)), Int(try number(at: 16)))
    // Found here, before millions of messages are read.
    guard max(originals, translations) + count * 8 <= bytes.count else { throw .truncated }
    var header = CatalogueHeader()
    var messages = MessageCatalogue.Messages()
    for index in 0..<count {
      let original = try string(at: originals + index * 8, of: index)
      let translation = try string(at: translations + index * 8, of: index)
      if original.isEmpty {
        // The header is read leniently at first, so that the error names the character set and not a byte.
        header = try CatalogueHeader(String(decoding: translation, as: UTF8.self))
        _ = try text(translation, of: index)
      } else {
        try add(original, translation, index: index, to: &messages)
      }
    }
    return (header, messages)
  }

  private func add(
    _ original: ArraySlice<UInt8>, _ translation: ArraySlice<UInt8>, index: Int, to messages: inout MessageCatalogue.Messages
  ) throws(MessageCatalogueError.Reason) {
    // The plural of the original follows a null byte; the key is the text before it.
    var key = original.prefix { $0 != 0 }
    var context: String?
    if let separator = key.firstIndex(of: Self.separatorOfContext) {
      context = try text(key[..<separator], of: index)
      key = key[(separator + 1)...]
    }
    var forms: [String] = []
    for form in translation.split(separator: 0, omittingEmptySubsequences: false) { forms.append(try text(form, of: index)) }
    let name = try text(key, of: index)
    // An empty translation means that the text is not translated yet.
    guard !forms.contains(where: \.isEmpty), !forms.isEmpty, !name.isEmpty else { return }
    if let context { messages.byContext[context, default: [:]][name] = forms } else { messages.plain[name] = forms }
  }

  /// Returns the bytes of the string whose length and offset are at a position.
  private mutating func string(at position: Int, of message: Int) throws(MessageCatalogueError.Reason) -> ArraySlice<UInt8> {
    let (length, start) = (Int(try number(at: position)), Int(try number(at: position + 4)))
    guard start + length < bytes.count else { throw .truncated }
    guard bytes[start + length] == 0 else { throw .unterminated(message: message) }
    guard length <= budget else { throw .tooLarge }
    budget -= length
    return bytes[start..<start + length]
  }

  private func text(_ bytes: ArraySlice<UInt8>, of message: Int) throws(MessageCatalogueError.Reason) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(message: message) }
    return text
  }

  private func number(at position: Int) throws(MessageCatalogueError.Reason) -> UInt32 {
    guard let number = Self.number(in: bytes, at: position) else { throw .truncated }
    return isSwapped ? number.byteSwapped : number
  }

  /// Returns a number in little-endian order; nil if it is not within the bytes.
  private static func number(in bytes: [UInt8], at position: Int) -> UInt32? {
    guard position >= 0, position <= bytes.count - 4 else { return nil }
    return (0..<4).reduce(0 as UInt32) { $0 | UInt32(bytes[position + $1]) << (8 * UInt32($1)) }
  }
}

/// The header of a catalogue: the translation of the empty text, with a field in each line.
struct CatalogueHeader {
  private static let characterSets: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"]

  /// The values by the lowercase name.
  private(set) var fields: [String: String] = [:]

  init() {}

  init(_ text: String) throws(MessageCatalogueError.Reason) {
    for line in text.bytes.split(separator: "\n") {
      guard let (name, value) = line.bytes.cut(at: ":") else { continue }
      fields[name.bytes.lowercased] = String(value.bytes.trimmed)
    }
    guard let name = characterSet else { return }
    guard Self.characterSets.contains(name.bytes.lowercased) else {
      throw .characterSet(String(name.unicodeScalars.prefix(64)))
    }
  }

  func pluralRule() throws(MessageCatalogueError.Reason) -> PluralRule {
    guard let field = fields["plural-forms"] else { return .germanic }
    do throws(PluralRuleError) { return try PluralRule(field) } catch { throw .pluralRule(error) }
  }

  /// The character set in the field `Content-Type`, such as `text/plain; charset=UTF-8`; nil if it has none.
  private var characterSet: String? {
    for parameter in (fields["content-type"] ?? "").bytes.split(separator: ";").dropFirst() {
      guard let (name, value) = parameter.bytes.cut(at: "=") else { continue }
      if name.bytes.trimmed.bytes.lowercased == "charset" { return String(value.bytes.trimmed) }
    }
    return nil
  }
}
