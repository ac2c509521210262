/// Removes escape sequences from a program's output to a terminal.
enum TerminalPlain {
  private enum State {
    case text, escape, control, string, stringEscape, single
  }

  /// Returns the text of bytes for a terminal: removes sequences, and keeps text that a carriage return overwrites.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var state = State.text
    var plain: [UInt8] = []
    for byte in bytes {
      switch (state, byte) {
      case (.string, 0x07), (.stringEscape, 0x5C): state = .text
      case (.string, 0x1B): state = .stringEscape
      case (.stringEscape, _): state = .string
      case (.string, _): break
      case (_, 0x1B): state = .escape
      case (.escape, UInt8(ascii: "[")): state = .control
      case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")): state = .string
      case (.escape, 0x20...0x2F): state = .single
      case (.escape, _), (.single, _): state = .text
      case (.control, 0x40...0x7E): state = .text
      case (.control, _): break
      case (.text, 0x0D), (.text, 0x07): break
      case (.text, _): plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
