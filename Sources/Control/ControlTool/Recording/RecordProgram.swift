import Glibc
import KeeperClient
import LinearTerminal
import Platform
import RendererKit

/// `coordinatorctl record --exec`: runs a program, and records an answers file from what it is answered.
public struct RecordProgram: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Runs a program to its end. The file is written when the program has ended, or the user has left.
  ///
  /// - Parameters:
  ///   - order: the program.
  ///   - options: options of the command.
  ///   - reader: source of the user's lines.
  ///   - screen: terminal of the conversation.
  ///   - write: closure that writes the conversation.
  /// - Returns: the exit status of the program, as a shell has it.
  /// - Throws: ``ToolFailure`` if nothing was started, or the file cannot be written; the program goes on then.
  public func run(
    _ order: ProgramOrder, _ options: RecordOptions, reader: LineReader, screen: TerminalScreen,
    write: @escaping @Sendable (String) -> Void
  ) async throws -> Int32 {
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
    write(program.announcement)
    let ending = Task { await program.ending() }
    try await RecordAnswers(session).run(program, options, reader: reader, screen: screen, write: write)
    if await !program.hasEnded {
      write("coordinatorctl: the program goes on. Ctrl-C ends it; coordinator-tui \(program.name) shows it again\n")
    }
    return await ending.value.shellStatus(write)
  }
}
