import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import KeeperClient
import Platform
import RendererKit

/// `coordinatorctl exec`: runs an interactive program, and shows its questions in every renderer.
public struct ExecProgram: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - order: program to run.
  ///   - answers: answers for the program; nil to answer by hand.
  ///   - bus: bus of the session.
  ///   - environment: environment of the process.
  ///   - complain: closure that writes to standard error.
  /// - Returns: the exit status of the program, in the format of a shell.
  /// - Throws: ``ToolFailure`` if nothing was started, or the program was ended because an answer is missing.
  public func run(
    _ order: ProgramOrder, answers: ProgramAnswers?, on bus: BusAddress, environment: [String: String],
    complain: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
    let signals = ProgramSignals()
    defer { signals.end() }
    let program: RunningProgram
    do {
      program = try await RunningProgram(order, session, signals: signals)
    } catch let error as ProgramNotStarted {
      return error.status
    }
    signals.obey(for: program)
    complain(program.announcement)
    let ending = Task { await program.ending() }
    if let answers { return try await play(answers, program, ending, environment, complain) }
    if RendererProgram.isTerminal {
      if let news = await show(program, on: bus, until: ending, signals) { complain("coordinatorctl: \(news)\n") }
    }
    let end = await ending.value
    print(end, complain)
    return end.shellStatus(complain)
  }

  /// Shows the program in this terminal until it ends, or the user leaves.
  ///
  /// - Returns: a message for the user if the program continues.
  private func show(
    _ program: RunningProgram, on bus: BusAddress, until ending: Task<ProgramEnd, Never>, _ signals: ProgramSignals
  ) async -> String? {
    let command = RendererProgram.terminal.command(showing: program.tree, on: bus)
    let arguments = command.dropFirst().map([CChar].init(argument:))
    guard let path = RendererProgram.terminal.path, let loan = try? TerminalLoan(to: path, arguments) else {
      return "\(command[0]) could not be started"
    }
    signals.keep(loan)
    let closing = Task {
      _ = await ending.value
      // The renderer ends when the flow has ended, unless the daemon is away.
      try await Task.sleep(for: .seconds(3))
      loan.recall()
      try await Task.sleep(for: .seconds(3))
      loan.takeBack()
    }
    // The renderer handles the keyboard: Ctrl-C leaves it, and must not end the program as well.
    let keys = KeyboardSignals()
    await loan.end()
    keys.restore()
    closing.cancel()
    if program.keeper.isOver { return nil }
    if await program.hasEnded { return nil }
    let again = (command.dropLast() + [program.name]).map { ShellText.word($0) }.joined(separator: " ")
    return "the program goes on. Ctrl-C ends it; \(again) shows it again"
  }

  /// Answers the program from a file.
  private func play(
    _ answers: ProgramAnswers, _ program: RunningProgram, _ ending: Task<ProgramEnd, Never>, _ environment: [String: String],
    _ complain: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
    do throws(ToolFailure) {
      try await PlayAnswers(session).play(answers, in: program.tree, environment: environment, complain: complain)
    } catch {
      // A program that asks little may have ended before this process read its flow.
      guard await !program.hasEnded else { return await ending.value.shellStatus(complain) }
      await program.end()
      _ = await ending.value
      throw error
    }
    return await ending.value.shellStatus(complain)
  }

  /// Prints the last output of the program, as it would have appeared without the renderer.
  private func print(_ end: ProgramEnd, _ complain: (String) -> Void) {
    var lines = end.lines
    while lines.last?.unicodeScalars.allSatisfy(\.properties.isWhitespace) == true { lines.removeLast() }
    if !lines.isEmpty { session.output.write(lines.map { $0.printable + "\n" }.joined()) }
    if end.isCut == true { complain("coordinatorctl: the program has written more; only its last lines are kept\n") }
  }
}

extension ProgramEnd {
  /// Returns the exit status in the format of a shell, and writes all failures; 125 for a program that is out of reach.
  func shellStatus(_ complain: (String) -> Void) -> Int32 {
    if status == nil { complain("coordinatorctl: \(message)\n") }
    for reason in reasons { complain("coordinatorctl: \(reason.printable)\n") }
    return status ?? 125
  }
}

/// The signals that terminal keys send to all processes in the foreground. This process ignores them once an instance is
/// created.
struct KeyboardSignals: Sendable {
  private static let numbers = [SIGINT, SIGQUIT]
  private let actions: [sigaction]

  /// Ignores the signals. Processes that were started before are not affected.
  init() {
    actions = Self.numbers.map { number in
      var ignoring = sigaction()
      ignoring.__sigaction_handler.sa_handler = SIG_IGN
      var before = sigaction()
      sigaction(number, &ignoring, &before)
      return before
    }
  }

  /// Restores the previous handling of the signals.
  func restore() {
    for (number, action) in zip(Self.numbers, actions) {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}

/// The answers for a program: an answers file, or one for debconf-set-selections.
public struct ProgramAnswers: Sendable {
  /// The path of the file, if it is for debconf-set-selections.
  public let selections: String?
  /// The answers to screens; none if the file is for debconf-set-selections, in which case the program's keeper answers its
  /// questions.
  let file: AnswersFile
  /// The path, for messages.
  let path: String
  /// The policy for missing answers; nil to leave it to the file.
  let missing: MissingPolicy?

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: path of the file; `-` for standard input.
  ///   - missing: policy for missing answers; nil to leave it to the file.
  /// - Throws: ``ToolFailure`` if the file cannot be read, or cannot be used for a program.
  public init(_ path: String, missing: MissingPolicy?) throws(ToolFailure) {
    guard let text = StandardStreams.readAll(path, keepsLineBreak: true) else {
      throw ToolFailure(["cannot read '\(path.printable)' as text in UTF-8"])
    }
    (self.path, self.missing) = (path, missing)
    if Self.isForDebconf(text) {
      guard path != "-" else {
        throw ToolFailure(["a file for debconf-set-selections cannot be read from standard input; name the file"])
      }
      (selections, file) = (path, AnswersFile(flow: RunningProgram.flow, input: [:], flows: []))
      return
    }
    selections = nil
    do {
      file = try AnswersFile(yaml: text)
    } catch {
      throw ToolFailure(error, path: path)
    }
    guard file.flow == nil || file.flow == RunningProgram.flow else {
      let flow = file.flow ?? ""
      throw ToolFailure(["\(path): is for '\(flow)', but a program is answered under '\(RunningProgram.flow)'".printable])
    }
  }

  /// Returns whether the first line that is not empty or a comment has the format of debconf-set-selections: owner, question,
  /// type, value.
  static func isForDebconf(_ text: String) -> Bool {
    let lines = text.utf8.split(whereSeparator: { "\n\r".utf8.contains($0) }).lazy.map { Substring($0).bytes.words }
    guard let words = lines.first(where: { !($0.first?.bytes.hasPrefix("#") ?? true) }), words.count >= 3 else { return false }
    let types = ["string", "boolean", "select", "multiselect", "note", "text", "password", "title", "seen", "error"]
    return words[1].bytes.contains("/") && !words[0].bytes.hasSuffix(":") && types.contains(String(words[2]))
  }
}
