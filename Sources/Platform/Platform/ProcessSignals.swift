import CPlatform
import Glibc

/// The signals that control a daemon.
///
/// A dedicated thread waits for them and sleeps meanwhile. A libdispatch signal source would not do: a process that
/// uses libdispatch's threads wakes up every second, because libdispatch then checks whether it needs more of them.
package enum ProcessSignals {
  /// Handles signals from now on. Call it at most once per process.
  ///
  /// - Parameter signals: the numbers of the signals.
  /// - Returns: a stream of the numbers of received signals; nil if the system has no thread or no pipe left.
  package static func take(_ signals: [Int32]) -> AsyncStream<Int32>? {
    let descriptor = signal_pipe_open(signals, Int32(signals.count))
    guard descriptor >= 0 else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    let isStarted = Thread.start(name: "signals") {
      // All other threads may have blocked these signals.
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
    // With the handlers still installed, only SIGKILL would end the process.
    for number in signals { Glibc.signal(number, SIG_DFL) }
    close(descriptor)
    return nil
  }
}
