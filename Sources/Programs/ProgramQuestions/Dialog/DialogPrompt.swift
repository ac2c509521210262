/// Prepares the text of a box as dialog does.
enum DialogPrompt {
  /// Returns a text with line breaks for `\n` and with less white space, as `dlg_trim_string` does.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - flags: the options that are on.
  /// - Returns: the text to show.
  static func prepare(_ text: ProgramText, flags: Set<String>) -> ProgramText {
    let keepsBlanks = flags.contains("no-collapse"), wraps = flags.contains("cr-wrap")
    var bytes = text.bytes
    if !keepsBlanks { for index in bytes.indices where bytes[index] == 0x09 { bytes[index] = 0x20 } }
    let hasBreaks = !flags.contains("no-nl-expand") && bytes.indices.contains { isBreak(bytes, $0) }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if hasBreaks, isBreak(bytes, index) {
        result.append(0x0a)
        index += 2
        // dialog ignores a line break directly after `\n`.
        var after = index
        while after < bytes.count, bytes[after].isBlank { after += 1 }
        if after < bytes.count, bytes[after] == 0x0a { index = after + 1 }
        continue
      }
      if hasBreaks {
        if byte == 0x0a, !wraps {
          if !isSecondBlank(bytes, index) { result.append(0x20) }
        } else {
          result.append(byte)
        }
      } else if flags.contains("trim") {
        if byte.isBlank || (byte == 0x0a && !wraps) {
          if result.last?.isBlank != true { result.append(0x20) }
        } else {
          result.append(byte)
        }
      } else if !byte.isBlank || keepsBlanks || !isSecondBlank(bytes, index) {
        result.append(byte)
      }
      index += 1
    }
    return ProgramText(result)
  }

  private static func isBreak(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "n")
  }

  /// Whether a blank follows another one that is not at the beginning of a line.
  private static func isSecondBlank(_ bytes: [UInt8], _ index: Int) -> Bool {
    var count = bytes[index].isBlank ? 1 : 0
    var before = index
    while before > 0 {
      before -= 1
      guard bytes[before] != 0x0a, bytes[before].isBlank else { break }
      count += 1
    }
    return count > 1
  }
}
