import CLinux
import Glibc

/// Threads without a handle: they end when their body returns.
package enum Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The calling thread, as the kernel numbers it.
  package static var current: pid_t { coordinatord_thread() }

  /// Gives a thread a tenth of the processor from now on wherever others want it too; it cannot be undone. Not less than that: code that
  /// is only slow is to come to its end, also on a busy machine.
  package static func lowerPriority(of thread: pid_t) { coordinatord_set_nice(thread, max(nice(of: thread), 10)) }

  /// The nice value of a thread.
  package static func nice(of thread: pid_t) -> Int32 { coordinatord_nice(thread) }

  /// Starts a detached thread, which takes no signals: they are for those who expect them.
  ///
  /// - Parameters:
  ///   - name: what `ps -L` shows; at most 15 bytes.
  ///   - body: what the thread does.
  /// - Returns: false if the system has no thread to give.
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
