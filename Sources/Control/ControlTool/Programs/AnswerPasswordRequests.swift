import CoordinatorBus
import DBus
import Glibc
import Platform
import RendererKit

/// `coordinatorctl password-agent`: shows systemd's password requests in every renderer.
public struct AnswerPasswordRequests: Sendable {
  /// The exit status of `password-request` if the file is not a request.
  private static let unreadable: Int32 = 1

  private let session: ToolSession
  private let directory: String
  /// The requests that are shown.
  private let shown = Lock<Set<String>>([])
  private let running = Lock<[String: RunningProgram]>([:])

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - session: session with the daemon that shows the requests.
  ///   - directory: directory of the requests; nil for that of the user, or for root that of the system.
  public init(_ session: ToolSession, directory: String?) {
    self.session = session
    let own = getenv("XDG_RUNTIME_DIR").map { "\(String(cString: $0))/systemd/ask-password" }
    self.directory = directory ?? (geteuid() == 0 ? nil : own) ?? "/run/systemd/ask-password"
  }

  /// Shows requests until a signal ends the process.
  ///
  /// - Parameter complain: closure that writes to standard error.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure`` if the directory cannot be watched.
  public func run(complain: @escaping @Sendable (String) -> Void) async throws(ToolFailure) -> ToolExit {
    let signals = ProcessSignals.take([SIGINT, SIGTERM])
    let (changes, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    let watch = DirectoryWatch([directory], on: session.daemon.connection.loop) { continuation.yield(true) }
    guard let watch else { throw ToolFailure(["'\(directory)' cannot be watched: \(String(cString: strerror(errno)))"]) }
    let obedience = Task {
      guard let signals else { return }
      for await _ in signals { continuation.finish() }
    }
    defer { withExtendedLifetime(watch) { obedience.cancel() } }
    continuation.yield(true)
    for await _ in changes {
      for path in requests where shown.withLock({ $0.insert(path).inserted }) {
        Task { await show(path, complain) }
      }
    }
    for program in running.withLock({ $0.values.map(\.self) }) { await program.end() }
    return .success
  }

  /// The paths of the existing requests.
  private var requests: [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.bytes.hasPrefix("ask.") { paths.append("\(directory)/\(name)") }
    }
    return paths.sorted()
  }

  /// Shows a request while its file exists.
  private func show(_ path: String, _ complain: @Sendable (String) -> Void) async {
    defer { shown.withLock { _ = $0.remove(path) } }
    while access(path, F_OK) == 0, !Task.isCancelled {
      var order = ProgramOrder(program: ["password-request", path].map([CChar].init(argument:)))
      order.title = "A password for the system"
      do {
        let program = try await RunningProgram(order, session)
        running.withLock { $0[path] = program }
        let end = await program.ending()
        running.withLock { $0[path] = nil }
        // A request that cannot be read once cannot be read the next time.
        if end.status == Self.unreadable {
          return complain("coordinatorctl: \(path.printable): is not a request for a password, and is left alone\n")
        }
      } catch {
        complain("coordinatorctl: \(path.printable): \("\(error)".printable)\n")
      }
      // The requesting program removes an answered request. If the file is still there, the user is asked again.
      for _ in 0..<10 where access(path, F_OK) == 0 {
        do { try await Task.sleep(for: .milliseconds(200)) } catch { return }
      }
    }
  }
}
