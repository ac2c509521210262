import Glibc
import Locking
import Threads

/// A terminal that shows frames and tells what its user does, on a thread of its own that alone calls ncurses.
///
/// The thread sleeps until there is something to read, something to paint, or a signal; while something moves it also wakes ten times
/// a second.
final class CursesTerminal: Sendable {
  /// What the terminal tells.
  enum Input: Sendable, Hashable {
    case key(Key)
    /// It is this large now. Comes first of all.
    case resized(Size)
    /// Ctrl-C.
    case interrupted
    /// Time has passed while something moved.
    case beat
    /// It has gone.
    case lost
  }

  private struct Mailbox {
    var frame: Frame?
    var closing: CheckedContinuation<Void, Never>?
  }

  /// What the terminal tells, in order.
  let inputs: AsyncStream<Input>
  private let continuation: AsyncStream<Input>.Continuation
  private let mailbox = Lock(Mailbox())
  /// A pipe that wakes the thread: 0 for the mailbox, other bytes are signals.
  private let reading: Int32
  private let writing: Int32
  private static let mail: UInt8 = 0

  /// Takes the terminal of this process over.
  ///
  /// - Parameters:
  ///   - isColoured: Whether colours are wanted.
  ///   - isUnicode: Whether the terminal takes more than ASCII.
  /// - Returns: nil if it can do too little to be painted on.
  static func open(isColoured: Bool, isUnicode: Bool) async -> CursesTerminal? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let terminal = CursesTerminal(reading: ends[0], writing: ends[1])
    let isOpen = await withCheckedContinuation { (opened: CheckedContinuation<Bool, Never>) in
      let hasThread = Thread.start(name: "terminal") {
        guard let screen = CursesScreen(isColoured: isColoured, isUnicode: isUnicode) else {
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
    (inputs, continuation) = AsyncStream.makeStream()
  }

  deinit {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  /// Shows a frame; of several that come at once only the last.
  func paint(_ frame: Frame) {
    mailbox.withLock { $0.frame = frame }
    wake()
  }

  /// Gives the terminal back.
  func close() async {
    await withCheckedContinuation { continuation in
      mailbox.withLock { $0.closing = continuation }
      wake()
    }
  }

  private func wake() {
    var byte = Self.mail
    // A full pipe wakes as well.
    _ = Glibc.write(writing, &byte, 1)
  }

  // MARK: The thread

  /// What the thread keeps in mind from one round to the next.
  private struct Round: ~Copyable {
    var screen: CursesScreen
    var keys = CursesKeys()
    /// Where keys are read; -1 when there will be none.
    var input = STDIN_FILENO
    var isMoving = false
    var isInterrupted = false
  }

  private func run(_ screen: consuming CursesScreen) {
    var round = Round(screen: screen)
    continuation.yield(.resized(round.screen.size))
    var isGoingOn = true
    while isGoingOn {
      var polled = [
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: round.input, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), round.isMoving ? 100 : -1)
      if count == 0 { continuation.yield(.beat) }
      guard count > 0 else { continue }
      if polled[1].revents != 0 { readKeys(&round, Int32(polled[1].revents)) }
      if polled[0].revents != 0 { isGoingOn = readPipe(&round) }
    }
  }

  private func readKeys(_ round: inout Round, _ events: Int32) {
    for key in round.keys.read() { continuation.yield(.key(key)) }
    guard events & (POLLHUP | POLLERR | POLLNVAL) != 0 else { return }
    round.input = -1
    continuation.yield(.lost)
  }

  /// Deals with signals, and with what is in the mailbox.
  ///
  /// - Returns: Whether the thread goes on.
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
    if let frame = mail.frame {
      round.screen.paint(frame)
      round.isMoving = frame.isMoving
    }
    guard let closing = mail.closing else { return true }
    giveBack(round.screen)
    continuation.finish()
    closing.resume()
    return false
  }

  private func take(signal: Int32, _ round: inout Round) -> Bool {
    switch signal {
    case SIGWINCH:
      round.screen.resize()
      continuation.yield(.resized(round.screen.size))
    case SIGTSTP:
      round.screen.suspend()
      // Everything stands still here until SIGCONT, which is then dealt with.
      kill(getpid(), SIGSTOP)
    case SIGCONT:
      round.screen.resume()
      continuation.yield(.resized(round.screen.size))
    case SIGINT where !round.isInterrupted:
      round.isInterrupted = true
      continuation.yield(.interrupted)
    default:
      // Also a second Ctrl-C: whoever is to leave because of the first takes too long.
      giveBack(round.screen)
      kill(getpid(), signal)
      return false
    }
    return true
  }

  private func giveBack(_ screen: borrowing CursesScreen) {
    screen.end()
    TerminalRescue.letSignalsBe()
  }
}
