import Platform

extension PinentrySession {
  /// Takes the complete lines that have arrived, up to a question that must be answered first.
  mutating func takeLines() -> [PinentryEffect] {
    var effects: [PinentryEffect] = []
    while asking == nil, !hasEnded, let line = buffer.popLine() {
      guard line.count <= AssuanText.maximumLine else {
        effects.append(.reply(PinentryError.lineTooLong.line))
        continue
      }
      effects += take(String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self))
    }
    return effects
  }

  private mutating func take(_ line: String) -> [PinentryEffect] {
    let words = line.bytes.split(separator: " ", maxSplits: 1)
    guard let command = words.first, !command.bytes.hasPrefix("#") else { return [] }
    let argument = words.count > 1 ? words[1] : ""
    let text = AssuanText.unescaped(argument)
    switch command.bytes.uppercased {
    case "SETDESC": texts.description = text
    case "SETPROMPT": texts.prompt = AssuanText.label(text)
    case "SETTITLE": texts.title = text
    case "SETOK": texts.okay = AssuanText.label(text)
    case "SETCANCEL": texts.cancel = AssuanText.label(text)
    case "SETNOTOK": texts.notOkay = AssuanText.label(text)
    case "SETERROR": texts.error = text
    case "SETREPEAT": texts.repeated = AssuanText.label(text)
    case "SETREPEATERROR": texts.repeatError = text
    case "SETTIMEOUT": texts.timeout = max(0, Int(text) ?? 0)
    case "RESET": texts = PinentryTexts()
    case "OPTION": setOption(text)
    // These commands change only the appearance, or a cache that this pinentry does not have.
    case "SETKEYINFO", "SETQUALITYBAR", "SETQUALITYBAR_TT", "SETGENPIN", "SETGENPIN_TT", "SETREPEATOK", "CLEARPASSPHRASE", "NOP":
      break
    case "GETPIN": return [ask(.pin)]
    case "CONFIRM": return [ask(.confirmation(oneButton: argument.bytes.split(separator: " ").contains("--one-button")))]
    case "MESSAGE": return [ask(.confirmation(oneButton: true))]
    case "GETINFO": return [.reply(information(text))]
    case "BYE":
      hasEnded = true
      return [.reply(Array("OK closing connection\n".utf8)), .end]
    default: return [.reply(PinentryError.unknownCommand.line)]
    }
    return [.reply(Self.okay)]
  }

  /// Takes `name=value` or `name value`; the defaults for labels are options.
  private mutating func setOption(_ text: String) {
    let words = text.utf8.split(maxSplits: 1) { "= ".utf8.contains($0) }.map { Substring($0) }
    guard let name = words.first else { return }
    let value = words.count > 1 ? String(words[1]) : ""
    options[String(name)] = value
    switch name {
    case "default-ok" where texts.okay.isEmpty: texts.okay = AssuanText.label(value)
    case "default-cancel" where texts.cancel.isEmpty: texts.cancel = AssuanText.label(value)
    case "default-prompt" where texts.prompt.isEmpty: texts.prompt = AssuanText.label(value)
    default: break
    }
  }

  private func information(_ name: String) -> [UInt8] {
    let text: String
    switch name {
    case "version": text = identity.version
    case "pid": text = String(identity.process)
    case "flavor": text = "coordinatord"
    case "ttyinfo":
      text = ["ttyname", "ttytype", "display"].map { options[$0] ?? "-" }.joined(separator: " ") + " - 0/0 -"
    default: return PinentryError.parameter.line
    }
    return AssuanText.dataLines(Array(text.utf8)) + Self.okay
  }
}

/// An instruction from ``PinentrySession`` to the keeper of a pinentry.
package enum PinentryEffect: Sendable, Hashable {
  /// Write these bytes to standard output. They may contain a PIN: never log them.
  case reply([UInt8])
  /// Ask this question; answer it with this id.
  case ask(ProgramQuestion, id: Int)
  /// The question with this id cannot be answered any more.
  case withdraw(id: Int)
  /// The conversation has ended.
  case end
}

/// The errors that a pinentry reports, with gpg-agent's codes: the source is 5 (Pinentry), shifted by 24 bits.
enum PinentryError: UInt32, Sendable, Hashable {
  case timeout = 83_886_142
  case cancelled = 83_886_179
  case notConfirmed = 83_886_194
  case parameter = 83_886_360
  case unknownCommand = 536_871_187
  case lineTooLong = 536_871_175

  /// The line that reports the error.
  var line: [UInt8] { Array("ERR \(rawValue) \(text)\n".utf8) }

  private var text: String {
    switch self {
    case .timeout: "Timeout <Pinentry>"
    case .cancelled: "Operation cancelled <Pinentry>"
    case .notConfirmed: "Not confirmed <Pinentry>"
    case .parameter: "IPC parameter error <Pinentry>"
    case .unknownCommand: "Unknown IPC command <User defined source 1>"
    case .lineTooLong: "Line too long <User defined source 1>"
    }
  }
}

/// Texts in lines of the Assuan protocol.
enum AssuanText {
  /// The maximum number of bytes of a line, without its line break.
  static let maximumLine = 1000

  /// Returns a text without its percent escapes. A percent sign without two digits stands for itself.
  static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "%"), let high = rest.first?.hexadecimalDigit,
        let low = rest.dropFirst().first?.hexadecimalDigit
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns data as `D` lines, each of which has room for the line break.
  static func dataLines(_ data: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    var line: [UInt8] = []
    func end() {
      lines += Array("D ".utf8) + line + [0x0A]
      line = []
    }
    for byte in data {
      let escaped: [UInt8] =
        switch byte {
        case UInt8(ascii: "%"): Array("%25".utf8)
        case 0x0A: Array("%0A".utf8)
        case 0x0D: Array("%0D".utf8)
        default: [byte]
        }
      if line.count + escaped.count > maximumLine - 2 { end() }
      line += escaped
    }
    if !line.isEmpty { end() }
    return lines
  }

  /// Returns a label without the underscore that marks the letter of its key.
  static func label(_ text: String) -> String {
    var label: [UInt8] = []
    var isMarked = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "_"), !isMarked {
        isMarked = true
      } else {
        label.append(byte)
        isMarked = false
      }
    }
    return String(decoding: label, as: UTF8.self)
  }
}
