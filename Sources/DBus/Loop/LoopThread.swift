import CDBus
import Glibc

/// Threads without a handle: they end when their body returns.
enum LoopThread {
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// The calling thread, as the kernel numbers it.
  static var current: pid_t { cdbus_thread() }

  /// Gives a thread a tenth of the processor from now on wherever others want it too. Not less: a handler that is only slow is to
  /// return before its time is up, also on a busy machine.
  static func lowerPriority(of thread: pid_t) { cdbus_set_nice(thread, max(cdbus_nice(thread), 10)) }

  /// Starts a detached thread.
  ///
  /// - Parameters:
  ///   - name: What `ps -L` and `/proc` show; at most 15 bytes.
  ///   - body: What the thread does.
  /// - Returns: False if the system has no thread to give.
  static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        cdbus_set_thread_name(start.name)
        start.body()
        return nil
      }, start.toOpaque())
    if status != 0 { start.release() }
    return status == 0
  }
}
