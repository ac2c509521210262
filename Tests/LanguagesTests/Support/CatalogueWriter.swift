import Foundation
import Languages

/// Writes `.mo` files like msgfmt, in either byte order, also damaged ones.
struct CatalogueWriter {
  /// The originals and translations; a null byte separates plural forms, and byte 4 ends a context.
  var messages: [(original: String, translation: String)] = []
  var isBigEndian = false
  var revision: UInt32 = 0

  init(header: String = "Content-Type: text/plain; charset=UTF-8\n", _ messages: KeyValuePairs<String, String>) {
    self.messages = [("", header)] + messages.map { ($0.key, $0.value) }
  }

  var bytes: [UInt8] {
    let sorted = messages.sorted { $0.original.utf8.lexicographicallyPrecedes($1.original.utf8) }
    let count = UInt32(sorted.count)
    var numbers = [0x9504_12DE, revision, count, 28, 28 + count * 8, 0, 28 + count * 16]
    var strings: [UInt8] = []
    for text in sorted.map(\.original) + sorted.map(\.translation) {
      numbers += [UInt32(text.utf8.count), 28 + count * 16 + UInt32(strings.count)]
      strings += Array(text.utf8) + [0]
    }
    return numbers.flatMap { number in
      withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
    } + strings
  }

  /// Writes the file to the place where ``Translations`` looks for it.
  func write(to directory: TemporaryDirectory, language: String, domain: String = "sample") throws {
    try directory.write(bytes, to: "\(language)/LC_MESSAGES/\(domain).mo")
  }

  func catalogue() throws -> MessageCatalogue { try MessageCatalogue(bytes: bytes) }
}
