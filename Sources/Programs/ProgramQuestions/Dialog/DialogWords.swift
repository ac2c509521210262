import Platform

/// Splits text into words as dialog does for `--file` and `DIALOGOPTS`.
enum DialogWords {
  /// Returns the words of a text: white space separates them outside double quotes. A backslash escapes a following backslash
  /// or double quote; before a line break, it removes both.
  static func split(_ text: ProgramText) -> [ProgramText] {
    var words: [ProgramText] = []
    var word: [UInt8]?
    var isQuoted = false
    var bytes = text.bytes[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        word = word ?? []
      } else if !isQuoted, byte.isASCIISpace {
        if let word { words.append(ProgramText(word)) }
        word = nil
      } else if byte == UInt8(ascii: "\\") {
        guard let next = bytes.first else { break }
        if next == UInt8(ascii: "\n") {
          bytes.removeFirst()
        } else {
          let isEscape = next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"")
          if isEscape { bytes.removeFirst() }
          word = (word ?? []) + [isEscape ? next : byte]
        }
      } else {
        word = (word ?? []) + [byte]
      }
    }
    if let word { words.append(ProgramText(word)) }
    return words
  }
}
