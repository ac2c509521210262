import Foundation
import Locking

/// A program that a test runs: its input can be written to, what it prints is collected, and its end can be awaited, without a
/// thread of the tests' pool being held.
///
/// Killed when the value goes away.
public final class Program: Sendable {
  /// The program could not be started.
  public struct StartFailed: Error {
    /// What was to be started.
    public let arguments: [String]
    /// What the system said.
    public let reason: String
  }

  private let running: RunningProgram

  /// The process id.
  public var processIdentifier: Int32 { running.process }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program, by its path or by a name to be found on `PATH`, and its arguments.
  ///   - environment: What differs from this process's environment.
  /// - Throws: `StartFailed`.
  public init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    running = try RunningProgram.start(arguments, environment: all.map { "\($0.key)=\($0.value)" })
  }

  deinit { running.signal(SIGKILL) }

  /// Writes to the program's input. What a program that has ended does not read is lost.
  public func write(_ text: String) { running.write(text) }

  /// Ends the program's input.
  public func closeInput() { running.closeInput() }

  /// Sends a signal, unless the program has ended.
  public func signal(_ number: Int32) { running.signal(number) }

  /// Whether it has not ended, as far as is known.
  public var isRunning: Bool { running.report.status == nil }

  /// What the program has printed until now.
  public var output: String { running.report.output }

  /// What the program has said on stderr until now.
  public var errors: String { running.report.errors }

  /// Waits until the program has ended and all that it printed is there.
  public func ended() async -> ProgramReport {
    await withCheckedContinuation { continuation in
      running.observe { report in
        guard report.status != nil else { return false }
        continuation.resume(returning: report)
        return true
      }
    }
  }

  /// Runs `body` once, on a thread of the program's own, when it has ended.
  public func whenEnded(_ body: @escaping @Sendable () -> Void) {
    running.observe { report in
      guard report.status != nil else { return false }
      body()
      return true
    }
  }

  /// Waits until the output has a text in it.
  ///
  /// - Parameters:
  ///   - text: What to wait for.
  ///   - count: How often it has to be there.
  /// - Throws: `ProgramReport` if the program ends before.
  public func prints(_ text: String, times count: Int = 1) async throws {
    try await prints { $0.ranges(of: text).count >= count }
  }

  /// Waits until the output is as it has to be.
  ///
  /// - Parameter condition: Looks at all that was printed, each time that there is more.
  /// - Throws: `ProgramReport` if the program ends before; `CancellationError`, so that a test that takes too long ends.
  public func prints(_ condition: @escaping @Sendable (String) -> Bool) async throws {
    try await waits { condition($0.output) }
  }

  private func waits(until condition: @escaping @Sendable (ProgramReport) -> Bool) async throws {
    let isCancelled = Lock(false)
    let isThere = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        running.observe { report in
          let isThere = condition(report)
          guard isThere || report.status != nil || isCancelled.withLock({ $0 }) else { return false }
          continuation.resume(returning: isThere)
          return true
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
      running.lookAgain()
    }
    if isThere { return }
    try Task.checkCancellation()
    throw await ended()
  }

  /// Waits until stderr has a text in it.
  ///
  /// - Parameters:
  ///   - text: What to wait for.
  ///   - count: How often it has to be there.
  /// - Throws: `ProgramReport` if the program ends before; `CancellationError`, so that a test that takes too long ends.
  public func says(_ text: String, times count: Int = 1) async throws {
    try await waits { $0.errors.ranges(of: text).count >= count }
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: What differs from this process's environment.
  ///   - input: All of its input.
  ///   - limit: After this time it is killed, which the report then says.
  /// - Returns: How it ended and what it printed.
  /// - Throws: `StartFailed`.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", limit: Duration = .seconds(30)
  ) async throws -> ProgramReport {
    let program = try Program(arguments, environment: environment)
    let killer = Task {
      try await Task.sleep(for: limit)
      program.signal(SIGKILL)
    }
    defer { killer.cancel() }
    program.write(input)
    program.closeInput()
    return await program.ended()
  }
}
