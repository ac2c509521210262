import CoordinatorBus
import CoordinatorKit
import Foundation
import TestBus
import Testing

/// A flow that is played with `busctl` alone.
struct BusctlFlow: Sendable {
  /// A refused call. `busctl` prints the message of the error, but not its name.
  struct Refused: Error, Hashable { let message: String }

  let daemon: RunningDaemon
  let root: String

  static func start(_ flow: String, _ input: [String: String] = [:], on daemon: RunningDaemon) async throws -> BusctlFlow {
    let reply = try await call(
      daemon, Contract.rootPath.string, "Manager", ["StartFlow", "sa{sv}a{sv}", flow] + vardict(input) + ["0"])
    return BusctlFlow(daemon: daemon, root: try #require(reply.array?.first?.string))
  }

  /// The screens, from the bottom up.
  var screens: [BusctlScreen] {
    get async throws {
      let value = try await Self.busctl(
        daemon, ["get-property", Contract.busName, root + "/router", "\(Contract.busName).Router", "Screens"])
      return value.array?.compactMap { $0.object.map(BusctlScreen.init) } ?? []
    }
  }

  var names: [String] { get async throws { try await screens.map { $0.text("name") } } }
  var top: BusctlScreen { get async throws { try #require(try await screens.last) } }

  func send(_ event: String, _ payload: [String: String] = [:]) async throws {
    let top = try await top
    try await send(event, payload, to: top)
  }

  func send(_ event: String, _ payload: [String: String] = [:], to screen: BusctlScreen) async throws {
    try await Self.call(
      daemon, screen.text("coordinator"), "Coordinator",
      ["Delegate", "tsa{sv}a{sv}", screen.text("id"), event] + Self.vardict(payload) + ["0"])
  }

  func select(_ id: String) async throws { try await send("select", ["id": id]) }

  func back() async throws {
    try await Self.call(daemon, root + "/router", "Router", ["Back", "ta{sv}", top.text("id"), "0"])
  }

  func dismiss(_ path: String? = nil) async throws {
    try await Self.call(daemon, path ?? root, "Coordinator", ["Dismiss", "ba{sv}", "true", "0"])
  }

  /// Returns the outcome, and the result as JSON.
  func outcome(_ path: String? = nil) async throws -> [JSONValue] {
    try await Self.call(daemon, Contract.rootPath.string, "Manager", ["GetOutcome", "o", path ?? root]).array ?? []
  }

  func children(_ path: String? = nil) async throws -> [String] {
    let value = try await Self.busctl(
      daemon, ["get-property", Contract.busName, path ?? root, "\(Contract.busName).Coordinator", "Children"])
    return value.array?.compactMap(\.string) ?? []
  }

  // MARK: busctl

  private static func vardict(_ values: [String: String]) -> [String] {
    ["\(values.count)"] + values.sorted { $0.key < $1.key }.flatMap { [$0.key, "s", $0.value] }
  }

  @discardableResult
  static func call(
    _ daemon: RunningDaemon, _ path: String, _ interface: String, _ arguments: [String]
  ) async throws -> JSONValue {
    try await busctl(daemon, ["call", Contract.busName, path, "\(Contract.busName).\(interface)"] + arguments)
  }

  private static func busctl(_ daemon: RunningDaemon, _ arguments: [String]) async throws -> JSONValue {
    let report = try await Program.run(["busctl", "--user", "--json=short"] + arguments, environment: daemon.environment)
    guard report.status == .exited(0) else { throw Refused(message: report.errors.trimmingCharacters(in: .newlines)) }
    guard !report.output.isEmpty else { return .null }
    return try JSONDecoder().decode(JSONValue.self, from: Data(report.output.utf8)).withoutTypes
  }
}

/// A screen as `busctl` prints it.
struct BusctlScreen: Sendable {
  let keys: [String: JSONValue]

  init(_ keys: [String: JSONValue]) { self.keys = keys }

  func text(_ key: String) -> String { keys[key]?.string ?? keys[key]?.integer.map(String.init) ?? "" }
  func column(_ name: String, of list: String) -> [String] {
    keys[list]?.array?.compactMap { $0.object?[name]?.string } ?? []
  }
  var actions: [String] { column("id", of: "actions") }
  var items: [String] { column("id", of: "items") }
  var codes: [String] { column("code", of: "messages") }
  var back: Bool? { keys["back"]?.boolean }
}

extension JSONValue {
  /// The value without the wrappers `{"type": …, "data": …}`, in which `busctl` writes variants and its whole output.
  fileprivate var withoutTypes: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutTypes))
    case .object(let members):
      if members.count == 2, let data = members["data"], members["type"]?.string != nil {
        data.withoutTypes
      } else {
        .object(members.mapValues(\.withoutTypes))
      }
    default: self
    }
  }
}
