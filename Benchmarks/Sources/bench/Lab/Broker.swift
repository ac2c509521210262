import ArgumentParser
import Foundation
import TestBus

/// The program that is the bus.
enum Broker: String, CaseIterable, ExpressibleByArgument, Sendable {
  case daemon = "dbus-daemon"
  case broker = "dbus-broker"
}

/// A dbus-broker that ends when this value is released.
struct PrivateBroker: Sendable {
  private let launcher: Program
  let address: String

  /// Starts a bus, and waits until it listens.
  ///
  /// - Parameters:
  ///   - lab: the location of its programs.
  ///   - services: the files with which the bus starts daemons on demand.
  /// - Throws: `StartFailed`.
  init(_ lab: Lab, services: [String]) async throws {
    // Prefers the broker of the distribution's package, if it is installed.
    let unpacked = lab.file(".build/dbus-broker/usr/bin/dbus-broker")
    let broker = FileManager.default.isExecutableFile(atPath: unpacked) ? unpacked : Broker.broker.rawValue
    launcher = try Program([lab.program("broker-launch"), broker] + services)
    do {
      try await launcher.prints { $0.contains(where: \.isNewline) }
    } catch let report as ProgramReport {
      throw StartFailed(reason: report.errors.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    address = launcher.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The reason why there is no bus.
  struct StartFailed: Error, CustomStringConvertible {
    let reason: String

    var description: String {
      "dbus-broker cannot be started; `make bench` fetches it, and so does Benchmarks/Scripts/peers (\(reason))"
    }
  }
}
