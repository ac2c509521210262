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
