import CoordinatorBus
import CoordinatorKit
import DBus
import Platform
import TestBus

/// A private bus on which a trial plays the daemon, with one process of the provider. May be used from any thread.
final class Stage: Sendable {
  /// The reason why the provider does not serve.
  struct NotServing: Error, CustomStringConvertible {
    let description: String
  }

  private struct State: Sendable {
    var daemon: Connection
    var program: Program?
    /// The output of earlier processes.
    var printed = ""
  }

  /// The record of the provider's calls of the daemon.
  let book = Observed(StageBook())
  private let bus: PrivateBus
  private let command: [String]
  private let state: Lock<State>
  /// The maximum time for a provider to register.
  private let startLimit: Duration

  /// Creates a stage without a provider.
  init(_ command: [String], startLimit: Duration = .seconds(15)) async throws {
    self.command = command
    self.startLimit = startLimit
    bus = try PrivateBus()
    let daemon = try await Connection.open(.address(bus.address))
    state = Lock(State(daemon: daemon))
    await daemon.serve(StageObject(book: book), below: Contract.rootPath)
    _ = try await daemon.requestName(Contract.busName, replace: true, allowReplacement: true)
  }

  // MARK: The process

  /// Starts the provider, and waits until it has registered.
  ///
  /// - Throws: ``NotServing``.
  func start() async throws {
    let program: Program
    do { program = try Program(command, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) } catch {
      throw NotServing(description: "\(command[0]) cannot be started: \(error.reason(of: command))")
    }
    program.closeInput()
    state.withLock { $0.program = program }
    // Waiting tasks must check again when the program ends.
    program.whenEnded { [book] in book.update { _ in } }
    let isThere = await Self.within(startLimit) { [book] in
      try await book.until { $0.registration != nil || !program.isRunning }
      return book.value.registration != nil
    }
    guard isThere == true else {
      let how = program.isRunning ? "has not called RegisterFlows within \(startLimit)" : "ended before it called RegisterFlows"
      throw NotServing(description: "the provider \(how)\(Self.excerpt(program.errors))")
    }
  }

  /// Kills the provider.
  func kill() async {
    guard let program = state.withLock({ $0.program.take() }) else { return }
    program.signal(9)
    _ = await Self.within(.seconds(5)) { await program.ended() }
    state.withLock { $0.printed += program.output + program.errors }
    book.update {
      $0.registration = nil
      $0.running = []
    }
  }

  /// Kills the provider, and starts it again.
  func restart() async throws {
    await kill()
    try await start()
  }

  /// Sends a signal to the provider.
  func signal(_ number: Int32) { state.withLock(\.program)?.signal(number) }

  /// Whether the provider runs.
  var isRunning: Bool { state.withLock(\.program)?.isRunning ?? false }

  /// Waits until the provider has ended.
  func ended(within limit: Duration) async -> ProgramReport? {
    guard let program = state.withLock(\.program) else { return nil }
    return await Stage.within(limit) { await program.ended() }
  }

  /// The complete output of the provider.
  var printed: String {
    let (printed, program) = state.withLock { ($0.printed, $0.program) }
    return printed + (program?.output ?? "") + (program?.errors ?? "")
  }

  /// The last lines of the running process's output, for a message.
  var lastWords: String { Self.excerpt(state.withLock(\.program)?.errors ?? "") }

  private static func excerpt(_ errors: String) -> String {
    let line = errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    return line.isEmpty ? "" : ", and printed: \(line.prefix(300))"
  }

  // MARK: The daemon

  /// The connection that owns the daemon's name.
  var daemon: Connection { state.withLock(\.daemon) }

  /// Makes another connection the daemon.
  ///
  /// - Parameter isAway: whether the daemon's name has no owner in between.
  /// - Throws: `ConnectionError` if the bus is gone.
  func replaceDaemon(isAway: Bool) async throws {
    let next = try await Connection.open(.address(bus.address))
    await next.serve(StageObject(book: book), below: Contract.rootPath)
    let old = state.withLock { state in
      defer { state.daemon = next }
      return state.daemon
    }
    if isAway { await old.close() }
    book.update { book in
      book.registration = nil
      // Unanswered results belong to the next daemon.
      for ticket in book.ends.keys { book.ends[ticket]?.removeAll(where: \.isOpen) }
      book.ends = book.ends.filter { !$0.value.isEmpty }
    }
    _ = try await next.requestName(Contract.busName, replace: true, allowReplacement: true)
    if !isAway { await old.close() }
  }

  /// Opens a connection that is not the daemon's.
  func stranger() async throws -> Connection { try await Connection.open(.address(bus.address)) }

  /// Returns the owner of a name.
  func owner(of name: String) async -> String? {
    let call = MethodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetNameOwner", arguments: [.string(name)])
    return try? await daemon.call(call).first?.string
  }

  /// Ends all processes and connections.
  func close() async {
    await kill()
    await daemon.close()
    bus.kill()
  }

  /// Runs a closure for at most a given time.
  static func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async -> Result? {
    // Not a task group, which would wait for operations that cannot be cancelled.
    let (results, continuation) = AsyncStream.makeStream(of: Result?.self)
    let work = Task { continuation.yield(try? await body()) }
    let timer = Task {
      try? await Task.sleep(for: limit)
      continuation.yield(nil)
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for await result in results { return result }
    return nil
  }
}

extension Error {
  fileprivate func reason(of command: [String]) -> String { (self as? Program.StartFailed)?.reason ?? "\(self)" }
}
