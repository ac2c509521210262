/// The result of a box of dialog, assembled as in the program.
struct DialogResult: Sendable, Hashable {
  /// The exit code before the environment changes it.
  var code: Int
  private(set) var text: ProgramText = ""
  private let settings: DialogSettings
  /// Whether each item is on its own line.
  private let isSeparate: Bool

  init(_ code: Int, _ settings: DialogSettings, isSeparate: Bool? = nil) {
    (self.code, self.settings) = (code, settings)
    self.isSeparate = isSeparate ?? settings.has("separate-output")
  }

  mutating func add(_ more: ProgramText) { text.bytes += more.bytes }

  /// Adds a value, quoted if `--quoted` is set and the value needs it.
  ///
  /// The bytes are those of dialog, except for quotation marks. Between apostrophes, dialog writes `\'`, which ends the quoted
  /// value in every shell, and it does not quote a value that contains only the other mark. Scripts evaluate the result, and
  /// the user who typed the value may be remote.
  mutating func addString(_ value: ProgramText) {
    if settings.has("quoted") { addQuoted(value, mayBeTyped: true) } else { add(value) }
  }

  /// Adds a value, quoted if it contains special characters.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - mayBeTyped: whether the user may have typed the value, that is, the program itself has not offered it.
  mutating func addQuoted(_ value: ProgramText, mayBeTyped: Bool = false) {
    let isSingle = settings.has("single-quoted")
    let quotes = Array("'\"".utf8)
    let quote = isSingle ? quotes[0] : quotes[1]
    let single = Array("\n\\".utf8), double = Array("\n\\[]{}?*;`~#$^&()|<>".utf8)
    let needsQuotes =
      value.isEmpty
      || value.bytes.contains { $0 == quote || mayBeTyped && quotes.contains($0) || $0.isBlank || double.contains($0) }
    guard needsQuotes else { return add(value) }
    let escaped = isSingle ? single : double
    text.bytes.append(quote)
    for byte in value.bytes {
      if mayBeTyped, isSingle, byte == quote {
        text.bytes += "'\\''".utf8
        continue
      }
      if byte == quote || escaped.contains(byte) { text.bytes.append(UInt8(ascii: "\\")) }
      text.bytes.append(byte)
    }
    text.bytes.append(quote)
  }

  mutating func addSeparator() { add(settings.strings["output-separator"] ?? (isSeparate ? "\n" : " ")) }

  var needsSeparator: Bool { settings.strings["output-separator"] != nil || !text.isEmpty }

  /// Adds the code of the last key for `--last-key`: Enter, because results are printed only after it.
  mutating func addLastKey(_ key: ProgramText = "10", separatorBefore: Bool) {
    guard settings.has("last-key") else { return }
    if separatorBefore, needsSeparator { addSeparator() }
    addString(key)
  }

  /// Adds the code of the last key and a separator.
  mutating func addLastKeyAndSeparator(_ key: ProgramText = "10") {
    guard settings.has("last-key") else { return }
    addLastKey(key, separatorBefore: false)
    addSeparator()
  }
}
