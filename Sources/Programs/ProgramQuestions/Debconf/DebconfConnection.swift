import CoordinatorKit

/// The state of one connection from debconf's passthrough frontend.
///
/// A value without I/O: it takes bytes and answers, and returns effects. debconf waits for each reply without a timeout, and
/// reads any line as the reply to its last command, so the replies must stay in step with the commands.
///
/// The keeper must not end while ``mayEnd`` is false: debconf reads a missing answer as an empty one, and stores it (trap T4).
///
/// ```swift
/// for effect in connection.receive(bytes, recalling: memory) { … }
/// for effect in try connection.answer(answer, to: block.id, remembering: &memory) { … }
/// for effect in connection.close() { … }
/// ```
package struct DebconfConnection: Sendable {
  /// The input that the connection waits for.
  enum Phase: Sendable, Hashable {
    /// Lines that describe questions.
    case describing
    /// The answer to a block.
    case asking(DebconfBlock)
    /// Lines that fetch these values, in this order (trap T2).
    case fetching([DebconfValue])
    case closed
  }

  /// The value that the next line may continue (trap T1).
  enum OpenValue: Sendable, Hashable {
    case data(tag: String, field: String, text: String)
    case value(tag: String)
    case variable(tag: String)
  }

  var phase = Phase.describing
  /// Whether any bytes were received.
  package private(set) var hasSpoken = false
  var buffer = LineBuffer()
  /// The questions that `DATA` describes, by tag, before their `INPUT`.
  var described: [String: DebconfQuestion] = [:]
  /// The questions of the block so far.
  var questions: [DebconfQuestion] = []
  var openValue: OpenValue?
  var section: String
  var title = ""
  var blocks = 0
  /// Whether the package has announced that it can go back.
  var announcesBack = false
  /// Whether the package has announced that its progress can be cancelled.
  var announcesCancel = false
  var progress: DebconfProgress?
  var isCancelled = false

  /// Creates the state of a new connection.
  ///
  /// - Parameter package: the package that is being configured, if the peer's environment names it
  ///   (`DPKG_MAINTSCRIPT_PACKAGE`). Titles that debconf itself sends take precedence.
  package init(package: String = "") { section = package }

  /// The block that waits for an answer; nil if there is none.
  package var openBlock: DebconfBlock? { if case .asking(let block) = phase { block } else { nil } }

  /// Whether the keeper may end: false between the first question of a block and the last value that debconf fetches.
  package var mayEnd: Bool {
    switch phase {
    case .describing: questions.isEmpty
    case .asking, .fetching: false
    case .closed: true
    }
  }

  /// Takes bytes from the program.
  ///
  /// - Parameters:
  ///   - bytes: the bytes; lines may be split at any byte.
  ///   - memory: the answers of this run.
  /// - Returns: the effects, in order.
  package mutating func receive(_ bytes: some Sequence<UInt8>, recalling memory: DebconfMemory) -> [DebconfEffect] {
    guard phase != .closed else { return [] }
    hasSpoken = true
    buffer.append(bytes)
    return takeLines(recalling: memory)
  }

  /// Takes the end of the connection, by which debconf also signals that it has finished.
  ///
  /// - Returns: the effects, in order.
  package mutating func close() -> [DebconfEffect] {
    var effects: [DebconfEffect] = []
    if let block = openBlock { effects.append(.withdraw(block: block.id)) }
    if progress != nil { effects.append(.progress(nil)) }
    (phase, progress, described, questions) = (.closed, nil, [:], [])
    return effects
  }

  /// Takes an answer to the open block.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - id: the id of the block that the answer is for. An answer that arrives a second time is refused and has no effect.
  ///   - memory: the answers of this run; this answer is added.
  /// - Returns: the effects, in order.
  /// - Throws: ``DebconfAnswerError`` if the answer is not valid; the block stays open.
  package mutating func answer(
    _ answer: ProgramAnswer, to id: Int, remembering memory: inout DebconfMemory
  ) throws(DebconfAnswerError) -> [DebconfEffect] {
    guard let block = openBlock, block.id == id else { throw .notOpen(id: id) }
    switch answer {
    case .back:
      // If the package has not announced that it can go back, debconf reads "go back" as yes (trap T6).
      guard block.allowsBack else { throw .cannotGoBack }
      phase = .describing
      return [.reply(Self.line("30 goback"))] + takeLines(recalling: memory)
    case .event(let event, let payload, let secrets):
      let values = try block.values(for: event, payload, secrets)
      memory.remember(values, for: block)
      phase = .fetching(values)
      return [.reply(Self.line("0 ok"))] + takeLines(recalling: memory)
    }
  }

  /// Asks the package to stop its long operation. The package receives the request when it next reports progress.
  ///
  /// - Returns: whether the package has announced that this is possible.
  package mutating func cancelProgress() -> Bool {
    guard progress?.isCancellable == true else { return false }
    isCancelled = true
    return true
  }

  static func line(_ text: String) -> [UInt8] { Array(text.utf8) + [0x0A] }
}

extension DebconfConnection {
  /// Takes a line about progress. Replies at once, because debconf waits for the reply, and the package waits for debconf.
  mutating func take(progress command: DebconfCommand) -> [DebconfEffect] {
    var reply = Self.success
    switch command {
    case .startProgress(let minimum, let maximum, let tag):
      let summary = described.removeValue(forKey: tag)?.summary ?? ""
      isCancelled = false
      progress = DebconfProgress(
        title: title, summary: summary, minimum: minimum, maximum: maximum, isCancellable: announcesCancel)
    case .stopProgress:
      isCancelled = false
      progress = nil
    case .setProgress(let value): progress?.value = value
    case .stepProgress(let step): progress?.step(by: step)
    case .describeProgress(let tag): progress?.text = described.removeValue(forKey: tag)?.summary ?? ""
    default: break
    }
    if isCancelled { reply = Self.line("30 canceled") }
    return [.reply(reply), .progress(progress)]
  }
}

/// An instruction from ``DebconfConnection`` to the keeper of a program.
package enum DebconfEffect: Sendable, Hashable {
  /// Write these bytes to the connection now. They may contain a password: never log them.
  case reply([UInt8])
  /// Ask this block. The program waits for the answer without a timeout.
  case ask(DebconfBlock)
  /// A package has set the title of the following questions; the section is the name of the package, or empty.
  case section(String, title: String)
  /// Show this progress; nil if it has ended.
  case progress(DebconfProgress?)
  /// The program has ended while this block was open: the block can no longer be answered.
  case withdraw(block: Int)
}

/// The progress of a package's long operation.
package struct DebconfProgress: Sendable, Hashable {
  /// The title of the package, such as "Configuring tzdata".
  package let title: String
  /// The operation that takes time.
  package let summary: String
  /// The current step; empty if the package has not sent it.
  package internal(set) var text = ""
  /// Whether the package can be asked to stop.
  package let isCancellable: Bool
  let minimum: Int
  let maximum: Int
  var value: Int

  init(title: String, summary: String, minimum: Int, maximum: Int, isCancellable: Bool) {
    (self.title, self.summary, self.isCancellable) = (title, summary, isCancellable)
    (self.minimum, self.maximum, value) = (minimum, maximum, minimum)
  }

  /// The progress from 0 to 1; nil if the package's range is empty.
  package var fraction: Double? {
    guard maximum > minimum else { return nil }
    return min(max((Double(value) - Double(minimum)) / (Double(maximum) - Double(minimum)), 0), 1)
  }

  mutating func step(by step: Int) {
    let (sum, overflow) = value.addingReportingOverflow(step)
    value = overflow ? maximum : sum
  }

  /// The progress as a screen has it.
  package var progress: Progress {
    Progress(fraction: fraction, text: text.isEmpty ? nil : Text(verbatim: ForeignText(text).line))
  }

  /// The id of the action that asks the package to stop.
  package static let cancellation = "cancel"

  /// The screen.
  package var screen: Screen {
    var screen = ForeignScreen(.progress, name: "debconf-progress", title: title.isEmpty ? summary : title)
    if !title.isEmpty { screen.add(paragraph: summary, isStrong: true) }
    screen.change { $0.progress = progress }
    if isCancellable { screen.add(action: Self.cancellation, "Cancel", .cancel) }
    return screen.screen
  }
}
