import Platform

extension DebconfConnection {
  /// Takes the complete lines that have arrived, up to a block that must be answered first.
  mutating func takeLines(recalling memory: DebconfMemory) -> [DebconfEffect] {
    var effects: [DebconfEffect] = []
    while openBlock == nil, let line = buffer.popLine() {
      effects += take(String(decoding: line, as: UTF8.self), memory)
    }
    return effects
  }

  private mutating func take(_ line: String, _ memory: DebconfMemory) -> [DebconfEffect] {
    let command = DebconfCommand(line)
    // debconf has received its reply to the first line of the value, and does not wait for replies to the others (trap T1).
    if continues(line, command) { return [] }
    switch command {
    case .get: break
    default: if case .fetching = phase { phase = .describing }
    }
    switch command {
    case .capability(let words):
      if !words.isEmpty { (announcesBack, announcesCancel) = (words.contains("backup"), words.contains("progresscancel")) }
      return [.reply(Self.line("0 backup"))]
    case .title(let text): return [.reply(Self.success), take(title: text)]
    case .setTitle(let tag):
      guard let text = described.removeValue(forKey: tag)?.summary, !text.isEmpty else { return [.reply(Self.success)] }
      return [.reply(Self.success), take(title: text)]
    case .data, .set, .substitute, .input: describe(command)
    case .go:
      guard !questions.isEmpty else { return [.reply(Self.line("0 ok"))] }
      let block = makeBlock(memory)
      phase = .asking(block)
      return [.ask(block)]
    case .get(let tag): return [.reply(fetch(tag))]
    case .startProgress, .setProgress, .stepProgress, .describeProgress, .stopProgress: return take(progress: command)
    case .other: break
    }
    return [.reply(Self.success)]
  }

  static let success = line("0")

  private mutating func take(title text: String) -> DebconfEffect {
    title = ForeignText(text).line
    if let package = DebconfTitle.package(in: text) {
      // Reset, because debconf does not pass on that a package cannot go back (trap T7).
      (section, announcesBack, announcesCancel) = (package, false, false)
    }
    return .section(section, title: title)
  }

  private mutating func describe(_ command: DebconfCommand) {
    switch command {
    case .data(let tag, let field, let text):
      described[tag, default: DebconfQuestion(tag: tag)].take(field: field, text: text)
      openValue = .data(tag: tag, field: field, text: text)
    case .set(let tag, let value):
      described[tag, default: DebconfQuestion(tag: tag)].proposal = value
      openValue = .value(tag: tag)
    case .substitute(let tag): openValue = .variable(tag: tag)
    case .input(let priority, let tag):
      // Removed, so that the next question with this tag starts without this description (trap T3).
      var question = described.removeValue(forKey: tag) ?? DebconfQuestion(tag: tag)
      question.priority = priority
      question.hidePassword()
      question.ordinal = questions.count { $0.tag == tag } + 1
      questions.append(question)
    default: break
    }
  }

  /// Appends a line to the value that it continues.
  ///
  /// - Returns: whether the line continues a value.
  private mutating func continues(_ line: String, _ command: DebconfCommand) -> Bool {
    switch openValue {
    case nil: return false
    case .data(let tag, let field, let text):
      if command.canFollowData { break }
      let text = text + "\\n" + line
      described[tag]?.take(field: field, text: text)
      openValue = .data(tag: tag, field: field, text: text)
      return true
    case .value(let tag):
      if command.canFollowValue(of: tag) { break }
      if let value = described[tag]?.proposal { described[tag]?.proposal = value + "\n" + line }
      return true
    case .variable(let tag):
      // The question's texts contain this value already.
      if !command.canFollowValue(of: tag) { return true }
    }
    openValue = nil
    return false
  }

  private mutating func makeBlock(_ memory: DebconfMemory) -> DebconfBlock {
    blocks += 1
    for index in questions.indices { questions[index].recalled = memory.value(for: questions[index]) }
    let block = DebconfBlock(id: blocks, section: section, title: title, questions: questions, allowsBack: announcesBack)
    // Regardless of the answer, the next block must not contain anything of this block (trap T3).
    (questions, described) = ([], [:])
    return block
  }

  /// Returns the reply with the next value for a tag.
  private mutating func fetch(_ tag: String) -> [UInt8] {
    guard case .fetching(var values) = phase, let index = values.firstIndex(where: { $0.tag.bytes.equals(tag) }) else {
      return Self.line("10 \(ForeignText(tag).line) was not asked")
    }
    let value = values.remove(at: index)
    phase = values.isEmpty ? .describing : .fetching(values)
    return Array("0 ".utf8) + value.bytes + [0x0A]
  }
}
