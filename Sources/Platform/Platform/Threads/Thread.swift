import CPlatform
import Glibc

/// Detached threads, which end when their body returns.
package enum Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The kernel's id of the calling thread.
  package static var current: pid_t { coordinatord_thread() }

  /// Permanently reduces a thread to about a tenth of the processor time wherever others compete for it. The share is no
  /// smaller, because code that is merely slow should still finish on a busy machine.
  ///
  /// Source: setpriority(2).
  package static func lowerPriority(of thread: pid_t) { coordinatord_set_nice(thread, max(nice(of: thread), 10)) }

  /// Returns a thread's nice value.
  ///
  /// Source: getpriority(2).
  package static func nice(of thread: pid_t) -> Int32 { coordinatord_nice(thread) }

  /// Starts a detached thread in which all signals are blocked, so that the threads that handle signals receive them.
  ///
  /// - Parameters:
  ///   - name: the name that `ps -L` shows; at most 15 bytes.
  ///   - body: the closure that the thread runs.
  /// - Returns: false if the system has no thread left.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let body = Unmanaged.passRetained(
      Body {
        coordinatord_set_thread_name(name)
        body()
      })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if status != 0 { body.release() }
    return status == 0
  }
}
