import Glibc
import Platform
import RendererKit

/// The time since the last key press at a terminal, according to the kernel's time of the last input, which `w` also shows.
struct TerminalIdleness: Sendable {
  let policy: KioskPolicy
  let descriptor: Int32
  private let start: LastTouch

  /// Creates the idleness of a run that starts now.
  ///
  /// - Parameters:
  ///   - policy: policy for the terminal.
  ///   - descriptor: descriptor of the terminal.
  ///   - isTouched: whether a visitor may have used the run before.
  init(policy: KioskPolicy, descriptor: Int32, isTouched: Bool) {
    self.policy = policy
    self.descriptor = descriptor
    start = LastTouch(stamp: Self.lastInput(of: descriptor), at: .now, isTouched: isTouched)
  }

  /// Waits until the idle time has passed without a key press.
  ///
  /// - Parameter warn: called once before the idle time ends.
  /// - Returns: false if the task was cancelled before that.
  func isOver(warn: () -> Void) async -> Bool {
    guard let idleTime = policy.idleTime else { return false }
    var isWarned = false
    var touch = start
    while !Task.isCancelled {
      let idle = touch.idleTime(stamp: Self.lastInput(of: descriptor), wall: Self.now, at: .now)
      let pause: Duration
      switch policy.step(idleFor: idle, isTouched: touch.isTouched) {
      case .reset: return true
      case .warn(let left):
        if !isWarned { warn() }
        isWarned = true
        pause = left
      case .wait(let time):
        isWarned = false
        // Until the first key press, it is sufficient to check at longer intervals.
        pause = time ?? idleTime / 2
      }
      try? await Task.sleep(for: max(pause, .milliseconds(100)))
    }
    return false
  }

  /// Returns the time of the last input, in seconds since 1970; nil if the descriptor is no longer a terminal.
  private static func lastInput(of descriptor: Int32) -> Double? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? seconds(status.st_atim) : nil
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return seconds(time)
  }

  private static func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }

  /// Waits for a line of input, on a separate thread.
  static func enterIsPressed(within milliseconds: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "enter") {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let isReady = poll(&descriptor, 1, milliseconds) > 0
        if isReady {
          var line = [UInt8](repeating: 0, count: 1024)
          _ = read(STDIN_FILENO, &line, line.count)
        }
        continuation.resume(returning: isReady)
      }
      if !isStarted { continuation.resume(returning: false) }
    }
  }
}
