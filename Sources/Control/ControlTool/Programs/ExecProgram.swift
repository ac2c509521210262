import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import KeeperClient
import Platform
import RendererKit

/// `coordinatorctl exec`: runs a program that asks people questions, and shows them in every renderer.
public struct ExecProgram: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - order: the program.
  ///   - answers: options of the answers file; nil to answer by hand.
  ///   - bus: the bus of the session.
  ///   - environment: environment of the process.
  ///   - complain: closure that writes to standard error.
  /// - Returns: the exit status of the program, as a shell has it.
  /// - Throws: ``ToolFailure`` if nothing was started, or the program was ended because an answer is missing.
  public func run(
    _ order: ProgramOrder, answers: AnswerOptions?, on bus: BusAddress, environment: [String: String],
    complain: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
    // What is wrong with the file is said before anything runs.
    let file = try answers.map { options throws(ToolFailure) in
      // The keeper answers from the other kind of file.
      order.selections == nil ? try PlayAnswers(session).answersFile(options.path) : AnswersFile()
    }
    let signals = ProcessSignals.take([SIGINT, SIGTERM])
    let program: RunningProgram
    do {
      program = try await RunningProgram(order, session)
    } catch let error as ProgramNotStarted {
      return error.status
    }
    let obedience = Task {
      guard let signals else { return }
      for await _ in signals { await program.end() }
    }
    defer { obedience.cancel() }
    let name = TreeSelector.name(program.tree)
    complain("coordinatorctl: shown as \(name): coordinator-tui \(name), or coordinator-web --open \(name)\n")
    let ending = Task { await program.ending() }
    if let file, let answers { return try await play(file, answers, program, ending, environment, complain) }
    if RendererProgram.fitting == .terminal { await show(program, on: bus, until: ending, complain) }
    let end = await ending.value
    print(end)
    return status(of: end, complain)
  }

  /// Shows the program in this terminal until it ends, or the user leaves.
  private func show(
    _ program: RunningProgram, on bus: BusAddress, until ending: Task<ProgramEnd, Never>, _ complain: (String) -> Void
  ) async {
    let command = RendererProgram.terminal.command(showing: program.tree, on: bus)
    let arguments = command.dropFirst().map([CChar].init(argument:))
    guard let path = RendererProgram.terminal.path, let renderer = try? StartedProcess(path, arguments) else {
      return complain("coordinatorctl: \(command[0]) could not be started\n")
    }
    let isOver = Lock(false)
    let closing = Task {
      _ = await ending.value
      isOver.withLock { $0 = true }
      // It ends by itself when the flow has ended, unless the daemon is away.
      try? await Task.sleep(for: .seconds(3))
      if !Task.isCancelled { renderer.terminate() }
    }
    // The renderer has the keyboard: Ctrl-C leaves it, and does not end the program as well.
    let keys = KeyboardSignals()
    _ = await renderer.status
    keys.restore()
    closing.cancel()
    if !isOver.withLock(\.self) {
      complain("coordinatorctl: waiting for the end of the program; Ctrl-C ends it\n")
    }
  }

  /// Answers the program from a file.
  private func play(
    _ file: AnswersFile, _ options: AnswerOptions, _ program: RunningProgram, _ ending: Task<ProgramEnd, Never>,
    _ environment: [String: String], _ complain: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
    var options = options
    options.tree = TreeSelector.name(program.tree)
    do throws(ToolFailure) {
      _ = try await PlayAnswers(session).play(file, options, environment: environment, complain: complain)
    } catch {
      await program.end()
      _ = await ending.value
      throw error
    }
    return status(of: await ending.value, complain)
  }

  /// Prints what the program wrote last, as it would be there without the renderer.
  private func print(_ end: ProgramEnd) {
    var lines = end.lines
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    if !lines.isEmpty { session.output.write(lines.map { $0.printable + "\n" }.joined()) }
  }

  private func status(of end: ProgramEnd, _ complain: (String) -> Void) -> Int32 {
    if let status = end.status { return status }
    complain("coordinatorctl: \(end.message)\n")
    return 125
  }
}
