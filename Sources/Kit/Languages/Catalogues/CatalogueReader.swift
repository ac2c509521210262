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
