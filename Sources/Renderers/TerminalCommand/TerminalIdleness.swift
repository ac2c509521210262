import Glibc
import Platform
import RendererKit

/// How long nobody has pressed a key at a terminal: since the kernel has last seen input from it, as `w` tells it.
struct TerminalIdleness: Sendable {
  let policy: KioskPolicy
  let descriptor: Int32
  /// Seconds since 1970.
  private let start = Self.now

  /// Creates the idleness of a run that starts now.
  init(policy: KioskPolicy, descriptor: Int32) {
    self.policy = policy
    self.descriptor = descriptor
  }

  /// Waits until nobody has pressed a key for too long.
  ///
  /// - Parameter warn: called once when this is about to happen.
  /// - Returns: false if the task was cancelled before that.
  func isOver(warn: () -> Void) async -> Bool {
    guard let idleTime = policy.idleTime else { return false }
    var isWarned = false
    while !Task.isCancelled {
      let last = lastInput
      let isTouched = last > start
      let idle = Duration.seconds(max(0, Self.now - max(last, start)))
      let pause: Duration
      switch policy.step(idleFor: idle, isTouched: isTouched) {
      case .reset: return true
      case .warn(let left):
        if !isWarned { warn() }
        isWarned = true
        pause = left
      case .wait(let time):
        isWarned = false
        // A first key is noticed when it matters.
        pause = time ?? idleTime / 2
      }
      try? await Task.sleep(for: max(pause, .milliseconds(100)))
    }
    return false
  }

  private var lastInput: Double {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return start }
    return Self.seconds(status.st_atim)
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return seconds(time)
  }

  private static func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }

  /// Waits for a line of input, on a thread of its own.
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
