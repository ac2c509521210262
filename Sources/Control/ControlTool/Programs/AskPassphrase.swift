import Glibc
import RendererKit

/// `coordinatorctl pinentry`: shows gpg-agent's pinentry requests in every renderer.
public struct AskPassphrase: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Passes the standard streams of this process on, and waits for the end of the conversation.
  ///
  /// - Returns: the exit status.
  /// - Throws: ``ToolFailure``; nothing was read then, so that another pinentry can take over.
  public func run() async throws -> Int32 {
    // Passed descriptors are not closed in the programs that are started.
    let streams = [STDIN_FILENO, STDOUT_FILENO].map { fcntl($0, F_DUPFD, 10) }
    guard streams.allSatisfy({ $0 >= 0 }) else {
      throw ToolFailure(["a pinentry needs standard input and output: \(String(cString: strerror(errno)))"])
    }
    var order = ProgramOrder(program: (["pinentry"] + streams.map { "\($0)" }).map([CChar].init(argument:)))
    order.title = "A passphrase"
    order.passed = streams
    let signals = ProgramSignals([SIGINT, SIGTERM, SIGHUP])
    defer { signals.end() }
    do {
      let program = try await RunningProgram(order, session, signals: signals)
      for stream in streams { close(stream) }
      signals.obey(for: program)
      return (await program.ending()).status ?? 125
    } catch let error as ProgramNotStarted {
      return error.status
    }
  }

  /// Replaces this process with a pinentry that asks on a terminal or a desktop.
  ///
  /// - Parameters:
  ///   - names: names of programs, the first existing one of which takes over.
  ///   - arguments: arguments of the pinentry.
  public static func takeOver(by names: [String], _ arguments: [String]) {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for name in names {
      var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
      execvp(name, &words)
      for word in words { free(word) }
    }
  }
}
