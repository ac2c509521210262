import Glibc
import LinearTerminal
import Platform
import RendererKit

/// A terminal that shows frames and reports input. A dedicated thread makes all calls to ncurses; the methods may be called
/// from any thread.
///
/// The thread sleeps until there is input, a frame to paint, or a signal. During an animation it also wakes ten times a second.
final class CursesTerminal: Sendable {
  /// An event of the terminal.
  enum Input: Sendable, Hashable {
    case key(Key)
    /// The size of the terminal. Always the first event.
    case resized(Size)
    /// Ctrl-C was pressed.
    case interrupted
    /// A step of an animation is due.
    case beat
    /// The terminal has been closed.
    case lost
  }

  /// The receiver of events.
  private struct Listener {
    private var continuation: AsyncStream<Input>.Continuation?
    /// The events that must not be lost while there is no receiver: all events before the first receiver, and the end.
    private var kept: [Input] = []
    private var size: Size?

    mutating func begin() -> AsyncStream<Input> {
      let (inputs, new) = AsyncStream.makeStream(of: Input.self)
      continuation?.finish()
      continuation = new
      if let size { new.yield(.resized(size)) }
      for input in kept { new.yield(input) }
      kept = []
      return inputs
    }

    mutating func tell(_ input: Input) {
      if case .resized(let new) = input {
        size = new
        continuation?.yield(input)
        return
      }
      if let continuation, case .enqueued = continuation.yield(input) { return }
      if continuation == nil || input == .interrupted || input == .lost { kept.append(input) }
    }

    mutating func finish() { continuation?.finish() }
  }

  private struct Mailbox {
    var frame: Frame?
    var notifications: [Notification] = []
    var closing: CheckedContinuation<Void, Never>?
  }

  /// A message for a user who does not look at the terminal.
  struct Notification: Sendable, Hashable {
    var text: String
    /// The title, for terminals whose notifications have one.
    var title: String
  }

  private let listener = Lock(Listener())
  private let mailbox = Lock(Mailbox())
  /// The pipe that wakes the thread: byte 0 announces mail, other bytes are signal numbers.
  private let reading: Int32
  private let writing: Int32
  private static let mail: UInt8 = 0

  /// Takes over the terminal of this process.
  ///
  /// - Parameters:
  ///   - isColoured: whether to use colors.
  ///   - abilities: sequences that the terminal supports.
  /// - Returns: the terminal, or nil if ncurses cannot use it or is not installed, which is then reported on stderr.
  static func open(isColoured: Bool, _ abilities: TerminalAbilities) async -> CursesTerminal? {
    if let problem = CursesScreen.problem {
      StandardStreams.complain("coordinator-tui: the full screen is not available (\(problem)); install libncursesw6\n")
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let terminal = CursesTerminal(reading: ends[0], writing: ends[1])
    let isOpen = await withCheckedContinuation { (opened: CheckedContinuation<Bool, Never>) in
      let hasThread = Thread.start(name: "terminal") {
        guard let screen = CursesScreen(isColoured: isColoured, abilities) else {
          return opened.resume(returning: false)
        }
        TerminalRescue.pass(signalsTo: terminal.writing)
        opened.resume(returning: true)
        terminal.run(screen)
      }
      if !hasThread { opened.resume(returning: false) }
    }
    return isOpen ? terminal : nil
  }

  private init(reading: Int32, writing: Int32) {
    self.reading = reading
    self.writing = writing
  }

  deinit {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  /// Returns the events from now on, in order. The first one is the size, if it is known. A previous sequence gets no more
  /// events. After the first call, keys that are pressed while there is no receiver are lost, so that they cannot choose
  /// anything that is not shown yet.
  func inputs() -> AsyncStream<Input> { listener.withLock { $0.begin() } }

  private func tell(_ input: Input) { listener.withLock { $0.tell(input) } }

  /// Paints a frame. Of several frames in quick succession, only the last is painted.
  func paint(_ frame: Frame) {
    mailbox.withLock { $0.frame = frame }
    wake()
  }

  /// Notifies the user, unless the terminal has the focus.
  func notify(_ notification: Notification) {
    mailbox.withLock { $0.notifications.append(notification) }
    wake()
  }

  /// Restores the terminal.
  func close() async {
    await withCheckedContinuation { continuation in
      mailbox.withLock { $0.closing = continuation }
      wake()
    }
  }

  private func wake() {
    var byte = Self.mail
    // If the pipe is full, the thread wakes anyway.
    _ = Glibc.write(writing, &byte, 1)
  }

  // MARK: The thread

  /// The state of the thread's loop.
  private struct Round: ~Copyable {
    var screen: CursesScreen
    var keys = CursesKeys()
    /// The descriptor that keys are read from; -1 after the end of the input.
    var input = STDIN_FILENO
    /// The time in milliseconds until a beat, unless an event comes first; -1 for none.
    var pause: Int32 = -1
    var isInterrupted = false
  }

  private func run(_ screen: consuming CursesScreen) {
    var round = Round(screen: screen)
    tell(.resized(round.screen.size))
    var isGoingOn = true
    while isGoingOn {
      var polled = [
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: round.input, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), round.pause)
      if count == 0 { tell(.beat) }
      guard count > 0 else { continue }
      if polled[1].revents != 0 { readKeys(&round, Int32(polled[1].revents)) }
      if polled[0].revents != 0 { isGoingOn = readPipe(&round) }
    }
  }

  private func readKeys(_ round: inout Round, _ events: Int32) {
    for key in round.keys.read() {
      switch key {
      case .focusGained: round.screen.setFocus(true)
      case .focusLost: round.screen.setFocus(false)
      default: tell(.key(key))
      }
    }
    guard events & (POLLHUP | POLLERR | POLLNVAL) != 0 else { return }
    round.input = -1
    tell(.lost)
  }

  /// Handles signals and the mailbox.
  ///
  /// - Returns: whether the thread continues.
  private func readPipe(_ round: inout Round) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(reading, &bytes, bytes.count)
    for byte in bytes.prefix(max(count, 0)) where byte != Self.mail {
      guard take(signal: Int32(byte), &round) else { return false }
    }
    let mail = mailbox.withLock { mailbox in
      defer { mailbox = Mailbox() }
      return mailbox
    }
    for notification in mail.notifications { round.screen.notify(notification) }
    if let frame = mail.frame {
      round.screen.paint(frame)
      round.pause = frame.isMoving ? 100 : frame.nextChange.map { Int32(clamping: $0) } ?? -1
    }
    guard let closing = mail.closing else { return true }
    giveBack(&round.screen)
    listener.withLock { $0.finish() }
    closing.resume()
    return false
  }

  private func take(signal: Int32, _ round: inout Round) -> Bool {
    switch signal {
    case SIGWINCH:
      round.screen.resize()
      tell(.resized(round.screen.size))
    case SIGTSTP:
      round.screen.suspend()
      // The whole process stops here until SIGCONT, which is then handled.
      kill(getpid(), SIGSTOP)
    case SIGCONT:
      round.screen.resume()
      tell(.resized(round.screen.size))
    case SIGINT where !round.isInterrupted:
      round.isInterrupted = true
      tell(.interrupted)
    default:
      // Includes a second Ctrl-C, which means that the response to the first one takes too long.
      giveBack(&round.screen)
      TerminalLock.unlock()
      kill(getpid(), signal)
      return false
    }
    return true
  }

  private func giveBack(_ screen: inout CursesScreen) {
    screen.end()
    TerminalRescue.letSignalsBe()
  }
}
