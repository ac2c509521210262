import Glibc
import KeeperClient
import LinearTerminal
import Platform
import RendererKit

/// `coordinatorctl record --exec`: runs a program, and records its answers to a file.
public struct RecordProgram: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Runs a program to its end. The file is written when the program has ended, or the user has left.
  ///
  /// - Parameters:
  ///   - order: program to run.
  ///   - options: options of the command.
  ///   - reader: source of the user's lines.
  ///   - screen: terminal of the conversation.
  ///   - write: closure that writes the conversation.
  /// - Returns: the exit status of the program, in the format of a shell.
  /// - Throws: ``ToolFailure`` if nothing was started, or the file cannot be written; in the latter case the program continues.
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
