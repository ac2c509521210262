import CoordinatorKit
import Forms
import Platform
import ProgramQuestions

extension KeeperState {
  mutating func receive(fromShim id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    do throws(ShimError) {
      let effects = try calls[id]?.receive(bytes) ?? []
      return obey(effects, of: id)
    } catch {
      note("\(calls[id]?.description ?? "a shim"), was lost: \(error)")
      // The shim reports that the question was lost, and ends.
      return close(id) + [.close(id)]
    }
  }

  mutating func obey(_ effects: [DialogSession.Effect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .send(let bytes): return [.send(id, bytes)]
      case .ask(let question): return ask(question, .call(id))
      case .show(let question):
        let isGauge = question.screen.progress?.fraction != nil
        return show(ProgramDisplay(source: id, screen: question.screen, stays: !isGauge))
      case .withdraw:
        questions.removeAll { $0.asker == .call(id) }
        return []
      case .wait(let seconds): return [.wait(.shown(id), milliseconds: min(seconds, 31_536_000) * 1_000)]
      case .end:
        // The shim closes the connection after it has carried out its requests, or has reported why it cannot.
        calls[id]?.end()
        return hide(id) + [.wait(.silent(id), milliseconds: times.silence)]
      }
    }
  }

  mutating func receive(fromDebconf id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    unheard.remove(id)
    let effects = debconfs[id]?.receive(bytes, recalling: memory) ?? []
    return obey(effects, of: id)
  }

  mutating func obey(_ effects: [DebconfEffect], of id: ConnectionID) -> [KeeperEffect] {
    effects.flatMap { effect -> [KeeperEffect] in
      switch effect {
      case .reply(let bytes): return [.send(id, bytes)]
      case .ask(let block): return ask(block, of: id)
      // The title is part of the package's screens already.
      case .section: return []
      case .progress(let progress?): return show(ProgramDisplay(source: id, screen: progress.screen, stays: false))
      case .progress(nil): return hide(id)
      case .withdraw(let block):
        questions.removeAll { $0.asker == .debconf(id, block: block) }
        return []
      }
    }
  }

  /// Answers a block from the file of answers, or asks users.
  private mutating func ask(_ block: DebconfBlock, of id: ConnectionID) -> [KeeperEffect] {
    var question = block.question
    if selections != nil {
      do throws(MissingSelections) {
        if let answer = try selections?.answer(for: block),
          let effects = try? debconfs[id]?.answer(answer, to: block.id, remembering: &memory)
        {
          return obey(effects, of: id)
        }
      } catch {
        question.screen.messages.append(.warning("no-answer", Text(verbatim: error.description)))
      }
    }
    return ask(question, .debconf(id, block: block.id))
  }

  /// Closes a connection that has not sent a request in time, or has not ended after its answer. A connection of debconf may be
  /// silent for long, while a package is being configured: it is closed only when another one needs its place.
  mutating func closeIfSilent(_ id: ConnectionID) -> [KeeperEffect] {
    if controls[id]?.hasSpoken == false {
      controls[id] = nil
      return [.send(id, ControlReply.line(ControlReply.error(.silent))), .close(id)]
    }
    if debconfs[id]?.hasSpoken == false { unheard.insert(id) }
    guard let call = calls[id], !call.hasCalled || call.isToEnd else { return [] }
    note("\(call), \(call.isToEnd ? "was answered and has not ended" : "has connected and did not say what it asks")")
    return close(id) + [.close(id)]
  }

  /// Closes the oldest connection of debconf that has been silent for long, because a new one needs its place.
  mutating func closeUnheard() -> [KeeperEffect] {
    guard let id = unheard.min() else { return [] }
    note("something has connected as debconf does and said nothing, and was hung up on for others")
    return close(id) + [.close(id)]
  }

  /// Removes a connection that has ended, and withdraws its questions.
  mutating func close(_ id: ConnectionID) -> [KeeperEffect] {
    controls[id] = nil
    calls[id] = nil
    apts[id] = nil
    unheard.remove(id)
    var effects: [KeeperEffect] = []
    if var debconf = debconfs.removeValue(forKey: id) { effects += obey(debconf.close(), of: id) }
    questions.removeAll { $0.asker.belongs(to: id) }
    return effects + hide(id)
  }

  /// Takes output of the program.
  mutating func print(_ bytes: [UInt8]) -> [KeeperEffect] {
    tail.append(bytes)
    // The program has continued without an answer.
    questions.removeAll(where: \.isOnTerminal)
    // A program that prints continuously does not wait for an answer, and searching its output for a prompt takes time: search
    // only when it pauses.
    return tellProgress() + (mayAsk ? [.wait(.quiet, milliseconds: times.quiet)] : [])
  }

  /// Whether the output ends like a prompt.
  private var mayAsk: Bool { tail.sinceAnswer.last == 0x20 || tail.sinceAnswer.last == UInt8(ascii: "]") }

  /// Looks for a question at the end of the program's output.
  mutating func lookForPrompt() -> [KeeperEffect] {
    guard programEnding == nil, mayAsk, !questions.contains(where: \.isOnTerminal),
      let prompt = TerminalPrompt(output: tail.sinceAnswer)
    else { return [] }
    return ask(prompt.question, .terminal(prompt))
  }
}

/// One call of the shim as an askpass program. It sends the same messages as other calls: its argument is the prompt.
struct AskpassSession: Sendable {
  /// The name of the shim.
  static let name = "askpass"

  private let caller: String
  private var reader = ShimReader()
  private var prompt = ""
  private var hint: String?
  private var request: AskpassRequest?

  /// Creates a session with a shim that has just connected.
  init(caller: String) { self.caller = caller }

  /// Takes bytes from the shim.
  mutating func receive(_ bytes: [UInt8]) throws(ShimError) -> [DialogSession.Effect] {
    var effects: [DialogSession.Effect] = []
    for message in try reader.read(bytes) {
      guard request == nil else { throw .unexpected(message.name) }
      let text = String(decoding: message.bytes, as: UTF8.self)
      switch message.name {
      case "argument": if prompt.isEmpty { prompt = text }
      case "variable": if let value = text.bytes.dropping(prefix: Self.hintPrefix) { hint = String(value) }
      case "ready":
        let request = AskpassRequest(prompt: prompt, hint: hint, from: AskpassProgram(command: caller))
        self.request = request
        effects.append(.ask(request.question))
      case "shim", "size", "writable": break
      default: throw .unexpected(message.name)
      }
    }
    return effects
  }

  private static let hintPrefix = "SSH_ASKPASS_PROMPT="

  /// Takes an answer. Returns the output of the shim and its exit.
  func answer(_ answer: ProgramAnswer) -> [DialogSession.Effect] {
    guard let request else { return [] }
    let result = request.result(of: answer)
    let outputs = result.outputs.flatMap { ShimMessage("output", Array("\($0.descriptor) ".utf8) + $0.bytes).encoded }
    return [.send(outputs + ShimMessage("exit", "\(result.status)".utf8).encoded), .end(status: result.status)]
  }
}

/// A question that a program waits for.
struct OpenQuestion: Sendable, Hashable {
  /// The part of the program that waits for the answer.
  enum Asker: Sendable, Hashable {
    case call(ConnectionID)
    /// A block of a connection of debconf.
    case debconf(ConnectionID, block: Int)
    /// The program itself, on its terminal.
    case terminal(TerminalPrompt)

    /// Whether the question ends with a connection.
    func belongs(to connection: ConnectionID) -> Bool {
      switch self {
      case .call(let id), .debconf(let id, _): id == connection
      case .terminal: false
      }
    }
  }

  let id: QuestionID
  let asker: Asker
  let question: ProgramQuestion

  /// Whether the program itself asks, on its terminal.
  var isOnTerminal: Bool { if case .terminal = asker { true } else { false } }
}

/// A question that a program asks on its terminal, where it reads a line.
enum TerminalPrompt: Sendable, Hashable {
  /// dpkg's question about a configuration file.
  case conffile(ConffilePrompt)
  /// A question with two letters, such as apt's question whether to continue.
  case yesNo(YesNoPrompt)

  /// Finds a question at the end of a program's output; returns nil if the output does not end with one.
  init?(output: some Collection<UInt8>) {
    if let prompt = ConffilePrompt(output: output) {
      self = .conffile(prompt)
    } else if let prompt = YesNoPrompt(output: output) {
      self = .yesNo(prompt)
    } else {
      return nil
    }
  }

  var question: ProgramQuestion {
    switch self {
    case .conffile(let prompt): prompt.question
    case .yesNo(let prompt): prompt.question
    }
  }

  /// Returns the keys to type; nil if the screen does not offer the answer.
  func keys(for answer: ProgramAnswer) -> [UInt8]? {
    switch self {
    case .conffile(let prompt): prompt.keys(for: answer)
    case .yesNo(let prompt): prompt.keys(for: answer)
    }
  }
}

extension KeeperState {
  /// The progress of the program, and the last lines of its output.
  var progress: JSONValue {
    var progress: [String: JSONValue] = [:]
    progress["fraction"] = (display?.screen.progress?.fraction).map { JSONValue($0) }
    progress["text"] = (display?.screen.progress?.text).map(JSONValue.string)
    progress["screen"] = display.map { ControlReply.screen($0.screen) }
    progress["lines"] = .array(tail.lines(rows).map { .string($0) })
    return .object(progress)
  }

  /// Shows a screen until the next one.
  mutating func show(_ display: ProgramDisplay) -> [KeeperEffect] {
    guard self.display != display else { return [] }
    self.display = display
    return tellProgress()
  }

  /// Removes the screen of a connection.
  mutating func hide(_ id: ConnectionID) -> [KeeperEffect] {
    guard let display, display.source == id, !display.stays else { return [] }
    self.display = nil
    return tellProgress()
  }

  /// Shows apt's progress.
  mutating func receive(fromApt id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    apts[id]?.append(bytes)
    var progress: Progress?
    // Only the last line counts.
    while let line = apts[id]?.popLine() {
      progress = AptStatus(String(decoding: line, as: UTF8.self))?.progress ?? progress
    }
    guard let progress else { return [] }
    return show(ProgramDisplay(source: id, screen: .progress("", title: "", progress: progress), stays: false))
  }

  /// Sends the progress to the watchers: at once, or when the minimum interval since the last message has passed.
  mutating func tellProgress() -> [KeeperEffect] {
    guard !progressIsDue else {
      progressIsNews = true
      return []
    }
    let watchers = controls.keys.filter { controls[$0]?.watches != nil }.sorted()
    guard !watchers.isEmpty, visible == .working else { return [] }
    progressIsDue = true
    let line = ControlReply.line(["progress": progress])
    return watchers.map { .send($0, line) } + [.wait(.progress, milliseconds: times.progress)]
  }

  mutating func take(_ timer: KeeperTimer) -> [KeeperEffect] {
    switch timer {
    case .progress:
      progressIsDue = false
      guard progressIsNews else { return [] }
      progressIsNews = false
      return tellProgress()
    case .quiet: return lookForPrompt()
    case .silent(let id): return closeIfSilent(id)
    case .shown(let id):
      let effects = calls[id]?.timePassed() ?? []
      return obey(effects, of: id)
    case .unanswered(let question): return timePassed(question)
    case .patience: return endFurther()
    case .unfetched: return [.leave]
    }
  }
}

/// A screen without an answer that a program shows: an infobox, a gauge, debconf's progress.
struct ProgramDisplay: Sendable, Hashable {
  let source: ConnectionID
  let screen: Screen
  /// Whether it stays after its connection has ended, as an infobox stays on a terminal.
  let stays: Bool
}
