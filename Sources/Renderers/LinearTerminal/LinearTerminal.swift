import Glibc
import RendererKit
import Synchronization

/// Renders the effects of a conversation as text for a terminal or a pipe: lines one after the other. Written text is never
/// overwritten, so a screen reader reads each line once, and a log of the terminal is legible.
public struct LinearTerminal: Sendable, Hashable {
  /// The source of the answers.
  public enum Kind: Sendable, Hashable {
    /// A terminal, which echoes typed text.
    case terminal
    /// Standard input is not a terminal, so nothing echoes the answers.
    case pipe
  }

  private let kind: Kind
  private var prompt: Prompt?

  /// Creates a terminal on which nothing has been written.
  public init(_ kind: Kind) {
    self.kind = kind
  }

  /// Returns the text that writes lines.
  public func print(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// Returns the text that writes a prompt. The answer follows on the same line.
  public mutating func ask(_ prompt: Prompt) -> String {
    self.prompt = prompt
    return prompt.text
  }

  /// Returns the text that completes the line of the prompt after an answer. A terminal has already echoed the answer;
  /// over a pipe it is written here, unless it is secret.
  public mutating func answered(_ line: String?) -> String {
    let isSecret = prompt?.isSecret ?? false
    prompt = nil
    guard kind == .pipe || line == nil else { return "" }
    return (isSecret ? "" : (line ?? "").printable) + "\n"
  }

  /// Returns the text that leaves the prompt, so that other lines can follow.
  public mutating func leavePrompt() -> String {
    prompt = nil
    return "\n"
  }
}

/// The terminal of a conversation. Writes its output, and reads a line whenever it prompts for one.
package struct ConversationTerminal {
  private let kind: LinearTerminal.Kind
  private let reader: LineReader
  private let write: @Sendable (String) -> Void
  private var terminal: LinearTerminal

  /// Creates a terminal on which nothing has been written.
  package init(_ kind: LinearTerminal.Kind, reader: LineReader, write: @escaping @Sendable (String) -> Void) {
    self.kind = kind
    self.reader = reader
    self.write = write
    terminal = LinearTerminal(kind)
  }

  /// Handles a line, or nil for the end of the input. Call this method before the conversation handles the line.
  package mutating func answered(_ line: String?) {
    TerminalEcho.turnOn()
    write(terminal.answered(line))
  }

  /// Performs an effect that concerns the terminal, and ignores all others.
  package mutating func show(_ effect: Conversation.Effect) {
    switch effect {
    case .print(let lines): write(terminal.print(lines))
    case .prompt(let prompt):
      if prompt.isSecret { TerminalEcho.turnOff() }
      write(terminal.ask(prompt))
      reader.request()
    case .withdrawPrompt:
      TerminalEcho.turnOn()
      // Input typed so far was meant for the screen that is gone.
      if kind != .pipe { tcflush(STDIN_FILENO, TCIFLUSH) }
      write(terminal.leavePrompt())
    case .interruptPrompt: write(terminal.leavePrompt())
    case .delegate, .saveDraft, .back, .countOthers, .leave: break
    }
  }
}

/// The properties of the devices that the standard streams of this process are connected to.
public struct TerminalScreen: Sendable, Hashable {
  /// The kind of the output.
  public var kind: LinearTerminal.Kind
  /// The style of lines on the output.
  public var style: TextStyle

  /// Examines the streams.
  ///
  /// - Parameters:
  ///   - environment: environment of the process.
  ///   - output: descriptor of the output.
  public init(environment: [String: String], output: Int32 = STDOUT_FILENO) {
    style = TextStyle(environment: environment, isTerminal: isatty(output) == 1)
    kind = isatty(STDIN_FILENO) == 1 ? .terminal : .pipe
  }
}

/// Turns the terminal's echo off while a secret is typed, and on again when the prompt ends: by an answer, by leaving, or by a
/// signal.
public enum TerminalEcho {
  /// Whether the echo is off.
  private static let isOff = Atomic(false)
  /// Whether the process has continued since `stop` was last called.
  private static let hasContinued = Atomic(false)
  /// Whether the signal handlers are installed.
  private static let isInstalled = Atomic(false)
  /// The original state of the terminal.
  ///
  /// Safe: written before `isOff` becomes true for the first time, and only read afterwards.
  private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// The original state without echo. Safe for the same reason.
  private nonisolated(unsafe) static let silent = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Turns the echo off, except for the line break (`ECHONL`). Does nothing if standard input is not a terminal.
  public static func turnOff() {
    guard prepare() else { return }
    isOff.store(true, ordering: .sequentiallyConsistent)
    tcsetattr(STDIN_FILENO, TCSADRAIN, silent)
  }

  /// Turns the echo on again. Does nothing if it is on.
  public static func turnOn() {
    guard isOff.exchange(false, ordering: .sequentiallyConsistent) else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, original)
  }

  private static func prepare() -> Bool {
    guard !isInstalled.load(ordering: .acquiring) else { return true }
    guard tcgetattr(STDIN_FILENO, original) == 0 else { return false }
    silent.initialize(to: original.pointee)
    silent.pointee.c_lflag &= ~tcflag_t(ECHO)
    silent.pointee.c_lflag |= tcflag_t(ECHONL)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(signal) { handle(signal, whenHandled: die) }
    if !isIgnored(SIGTSTP) { handle(SIGTSTP, whenHandled: stop) }
    handle(SIGCONT, whenHandled: goOn)
    isInstalled.store(true, ordering: .releasing)
    return true
  }

  /// Restores the terminal, then lets the signal take its default action. Calls only async-signal-safe functions
  /// (signal-safety(7)).
  private static let die: @convention(c) (Int32) -> Void = { number in
    if isOff.load(ordering: .sequentiallyConsistent) { tcsetattr(STDIN_FILENO, TCSANOW, original) }
    TerminalLock.unlock()
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Restores the terminal while the process is stopped, and turns the echo off again when it continues. If the process belongs
  /// to an orphaned process group, it continues at once, because the system ignores the signal. Calls only async-signal-safe
  /// functions.
  private static let stop: @convention(c) (Int32) -> Void = { number in
    hasContinued.store(false, ordering: .sequentiallyConsistent)
    let isSilent = isOff.load(ordering: .sequentiallyConsistent)
    var stops = sigset_t()
    sigemptyset(&stops)
    sigaddset(&stops, number)
    sigaddset(&stops, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stops, nil)
    // Another process of the job may have stopped before; in that case, the shell has the terminal, and has restored it.
    if isSilent, tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, original) }
    signal(number, SIG_DFL)
    raise(number)
    // SIGTTIN may have stopped the process in this function, for another thread that reads. It would stop a second time, and no
    // shell would know.
    if hasContinued.load(ordering: .sequentiallyConsistent) { signal(number, SIG_IGN) }
    // Stops the process here.
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
    handle(number, whenHandled: stop)
    if isSilent { tcsetattr(STDIN_FILENO, TCSANOW, silent) }
  }

  /// Turns the echo off again when the process continues, also if SIGTTIN or SIGSTOP has stopped it, so that `stop` was not
  /// called: the shell has restored the terminal. Calls only async-signal-safe functions.
  private static let goOn: @convention(c) (Int32) -> Void = { _ in
    hasContinued.store(true, ordering: .sequentiallyConsistent)
    guard isOff.load(ordering: .sequentiallyConsistent) else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, silent)
    // The prompt may have ended meanwhile.
    if !isOff.load(ordering: .sequentiallyConsistent) { tcsetattr(STDIN_FILENO, TCSANOW, original) }
  }

  /// Returns whether this process was started with a signal ignored, for example by nohup.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return sigaction(number, nil, &action) == 0 && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func handle(_ number: Int32, whenHandled handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}
