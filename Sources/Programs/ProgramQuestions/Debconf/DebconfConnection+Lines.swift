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

/// The environment that makes debconf pass its questions on.
package enum DebconfEnvironment {
  /// Returns the environment of a program whose packages send their questions to a socket.
  ///
  /// - Parameters:
  ///   - environment: the environment of the caller.
  ///   - socket: the path of the socket, which must already listen (trap T10).
  ///   - isUnattended: whether answers come from a file, whose values are in the language C.
  /// - Returns: the environment.
  package static func adapting(
    _ environment: [String: String], socket: String, isUnattended: Bool = false
  ) -> [String: String] {
    var result = environment
    result["DEBIAN_FRONTEND"] = "passthrough"
    result["DEBCONF_PIPE"] = socket
    for name in ["DEBCONF_READFD", "DEBCONF_WRITEFD"] { result[name] = nil }
    if isUnattended || !usesUnicode(environment) { result["LC_ALL"] = "C.UTF-8" }
    if isUnattended { result["LANGUAGE"] = nil }
    return result
  }

  /// Whether the locale for characters uses UTF-8. In any other locale, debconf stores an answer with characters outside its
  /// encoding as empty (trap T5).
  static func usesUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let encoding = locale.bytes.split(separator: "@").first?.bytes.split(separator: ".").dropFirst().first ?? ""
    return ["utf8", "utf-8"].contains(encoding.bytes.lowercased)
  }
}

/// The titles that debconf itself gives to the configuration of a package.
enum DebconfTitle {
  /// debconf's "Configuring %s" in the languages of its version 1.5.82.
  private static let patterns = [
    "Configuring %s", "%s konfiguratzen", "%s konfigurálása", "%s tê mîhengkirin", "%s yapılandırılıyor",
    "%s कन्फिगर गर्दैछ", "%s संरचित होत आहे", "%s ਸੰਰਚਨਾ ਜਾਰੀ", "%s を設定しています", "%s 설정 중입니다", "%s:n asetusten säätö",
    "%sརིམ་སྒྲིག་འབད་དོ།", "A configurar %s", "Agordado de %s", "Bezig met configureren van %s",
    "Configuracion de %s", "Configuració del paquet «%s»", "Configuración de %s", "Configurando %s",
    "Configuration de %s", "Configurazione in corso di %s", "Isinasaayos ang %s", "Konfiguracja pakietu %s",
    "Konfigurerar %s", "Konfiguriere %s", "Nastavljanje %s", "Nastavovanie %s", "Nastavuje se %s", "Podešavam %s",
    "Se configurează %s", "Sedang mengonfigurasi %s", "Set opp %s", "Setter opp %s", "Sætter %s op",
    "Đang cấu hình %s", "Ρύθμιση του %s", "Налаштування %s", "Настраивается %s", "Настройване на %s", "מגדיר את %s",
    "تهيئة %s", "কনফিগার করা হচ্ছে %s", "กำลังตั้งค่า %s", "កំពុង\u{200B}កំណត់\u{200B}រចនា\u{200B}សម្ព័ន្ធ %s",
    "正在設定 %s", "正在设定 %s",
  ]

  /// Returns the package that a title names.
  ///
  /// - Parameter title: the title.
  /// - Returns: the package; nil if a package, not debconf, has set the title.
  static func package(in title: String) -> String? {
    let title = title.bytes.split(separator: " ").joined(separator: " ")
    for pattern in patterns {
      guard let (before, after) = pattern.bytes.cut(at: "%s"),
        let named = title.bytes.dropping(prefix: before)?.bytes.dropping(suffix: after)
      else { continue }
      // The name of a package of several architectures may include one: "libc6:amd64".
      let name = String(named.bytes.cut(at: ":")?.before ?? named)
      if isName(name) { return name }
    }
    return nil
  }

  /// Whether a text is the name of a Debian package.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count >= 2
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}
