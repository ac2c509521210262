import Foundation
import Platform

/// A program that a test runs. Its output is collected, and waiting for it does not block a thread of the tests' pool.
///
/// The program is killed when this value is deallocated.
public final class Program: Sendable {
  /// The error for a program that could not be started.
  public struct StartFailed: Error {
    /// The program and its arguments.
    public let arguments: [String]
    /// The system's error message.
    public let reason: String
  }

  private let running: RunningProgram

  /// The process id.
  public var processIdentifier: Int32 { running.process }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program, given by its path or by a name on `PATH`, and its arguments.
  ///   - environment: variables that override or extend the environment of this process.
  /// - Throws: `StartFailed`.
  public init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    running = try RunningProgram.start(arguments, environment: all.map { "\($0.key)=\($0.value)" })
  }

  deinit { running.signal(SIGKILL) }

  /// Writes a string to the program's input. Data that the program does not read before it ends is lost.
  public func write(_ text: String) { running.write(text) }

  /// Closes the program's input.
  public func closeInput() { running.closeInput() }

  /// Sends a signal, unless the program has ended.
  public func signal(_ number: Int32) { running.signal(number) }

  /// Whether the program is not yet known to have ended.
  public var isRunning: Bool { running.report.status == nil }

  /// The standard output so far.
  public var output: String { running.report.output }

  /// The standard error output so far.
  public var errors: String { running.report.errors }

  /// Waits until the program has ended and all its output has been read.
  public func ended() async -> ProgramReport {
    await withCheckedContinuation { continuation in
      running.observe { report in
        guard report.status != nil else { return false }
        continuation.resume(returning: report)
        return true
      }
    }
  }

  /// Runs `body` once when the program has ended; on the program's reader thread, or at once if it has ended already.
  public func whenEnded(_ body: @escaping @Sendable () -> Void) {
    running.observe { report in
      guard report.status != nil else { return false }
      body()
      return true
    }
  }

  /// Waits until the output contains a string.
  ///
  /// - Parameters:
  ///   - text: the string.
  ///   - count: how often the output must contain it.
  /// - Throws: `ProgramReport` if the program ends first; `CancellationError`, so that a test that exceeds its time
  ///   limit ends.
  public func prints(_ text: String, times count: Int = 1) async throws {
    try await prints { $0.ranges(of: text).count >= count }
  }

  /// Waits until the output satisfies a condition.
  ///
  /// - Parameter condition: a predicate on the whole output, evaluated whenever there is more.
  /// - Throws: `ProgramReport` if the program ends first; `CancellationError`, so that a test that exceeds its time
  ///   limit ends.
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

  /// Waits until stderr contains a string.
  ///
  /// - Parameters:
  ///   - text: the string.
  ///   - count: how often stderr must contain it.
  /// - Throws: `ProgramReport` if the program ends first; `CancellationError`, so that a test that exceeds its time
  ///   limit ends.
  public func says(_ text: String, times count: Int = 1) async throws {
    try await waits { $0.errors.ranges(of: text).count >= count }
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: variables that override or extend the environment of this process.
  ///   - input: the whole standard input.
  ///   - limit: how long the program may run before it is killed, which the report then shows.
  /// - Returns: the exit status and the output.
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
