import Foundation
import TestBus

/// A `bus-load`, and the daemon that it has started.
final class Loader: Sendable {
  let subject: Subject
  private let program: Program
  /// Retained, because the bus ends when it is released.
  private let bus: Bus

  /// Starts the client, but no daemon.
  init(_ lab: Lab, _ subject: Subject, on bus: Bus) throws {
    self.subject = subject
    self.bus = bus
    program = try Program([lab.program("bus-load"), bus.address, subject.name], environment: bus.environment)
  }

  /// Starts the client and the daemon.
  static func boot(_ lab: Lab, _ subject: Subject, on bus: Bus) async throws -> Loader {
    let loader = try Loader(lab, subject, on: bus)
    _ = try await loader.boot()
    return loader
  }

  /// Starts the daemon, and returns how long it took until it owned its name.
  func boot() async throws -> Answer {
    try await send((["boot"] + subject.command).joined(separator: " "))
  }

  /// Carries out a command of `bus-load`.
  ///
  /// - Throws: `ProgramReport` if the program ends instead of answering.
  @discardableResult
  func send(_ command: String) async throws -> Answer {
    let before = lines
    program.write(command + "\n")
    try await program.prints { $0.count(where: \.isNewline) > before }
    guard let line = program.output.split(whereSeparator: \.isNewline).last else { throw await program.ended() }
    return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
  }

  private var lines: Int { program.output.count(where: \.isNewline) }
}

/// What `bus-load` answers; times are in nanoseconds.
struct Answer: Decodable, Sendable {
  var count: Int?
  var median: Double?
  var p99: Double?
  var total: Double?
  var process: Int32?
  var messages: Int?
  var bytes: Int?
}
