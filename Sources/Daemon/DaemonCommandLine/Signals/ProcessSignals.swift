import Glibc
import SignalPipe
import Threads

/// The signals that tell a daemon what to do.
///
/// A thread of its own waits for them and sleeps meanwhile. Not a signal source of libdispatch's: whoever uses its threads wakes up every
/// second, since something looks then whether there are enough of them.
enum ProcessSignals {
  /// Takes signals from now on, once in the life of a process.
  ///
  /// - Parameter signals: their numbers.
  /// - Returns: the numbers as they come; nil if the system has no thread or no pipe to give.
  static func take(_ signals: [Int32]) -> AsyncStream<Int32>? {
    let descriptor = signal_pipe_open(signals, Int32(signals.count))
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    let isStarted = Thread.start(name: "signals") {
      // All other threads may have them blocked.
      var mask = sigset_t()
      sigemptyset(&mask)
      for signal in signals { sigaddset(&mask, signal) }
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      var byte: UInt8 = 0
      while true {
        switch read(descriptor, &byte, 1) {
        case 1: continuation.yield(Int32(byte))
        case -1 where errno == EINTR: continue
        default: return continuation.finish()
        }
      }
    }
    guard !isStarted else { return stream }
    // Otherwise nothing but SIGKILL would end the process.
    for number in signals { Glibc.signal(number, SIG_DFL) }
    close(descriptor)
    return nil
  }
}
