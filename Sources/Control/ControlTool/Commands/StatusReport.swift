import CoordinatorKit
import RendererKit

/// The state of a daemon, as `coordinatorctl status` prints it. A value without I/O.
struct StatusReport: Sendable, Hashable {
  var version: String
  var process: UInt32
  var user: UInt32
  /// The file name of the program; nil if it cannot be read.
  var program: String?
  var bus: String
  /// When the process started, in microseconds since 1970; nil if it is not known.
  var startedAt: UInt64?
  var flows: UInt64
  var renderers: UInt64
  /// The state directory; nil if it is not known.
  var stateDirectory: String?
  var isEphemeral: Bool
  /// The limits by the names of their properties.
  var limits: [String: UInt64]

  /// Returns the report for users.
  func lines(at now: UInt64, style: TextStyle) -> [String] {
    let state =
      isEphemeral
      ? "nothing is kept (--ephemeral)"
      : stateDirectory ?? (program == nil ? "unknown: the daemon runs as another user" : "unknown; the daemon's unit may name it")
    let rows = [
      ("Process", "\(process)" + (startedAt.map { ", up \(TreeRow.age(since: $0, at: now))" } ?? "")),
      ("Bus", bus),
      ("Flows", "\(flows) of at most \(limits["MaxFlows"].map(String.init) ?? "?")"),
      ("Renderers", "\(renderers)"),
      ("State", state.printable),
      ("Limits", limits.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")),
    ]
    let width = rows.map(\.0.utf8.count).max() ?? 0
    return [style.strong((program ?? "coordinatord").printable) + " \(version.printable)"]
      + rows.map { title, text in
        String(repeating: " ", count: width - title.utf8.count + 2) + style.quiet("\(title):") + " \(text)"
      }
  }

  /// The report as JSON. Unknown values are omitted.
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "version": .string(version), "process": .integer(Int64(process)), "user": .integer(Int64(user)),
      "bus": .string(bus), "flows": JSONValue(count: flows), "renderers": JSONValue(count: renderers),
      "ephemeral": .boolean(isEphemeral), "limits": .object(limits.mapValues { JSONValue(count: $0) }),
    ]
    object["program"] = program.map(JSONValue.string)
    object["startedAt"] = startedAt.map { JSONValue(count: $0) }
    object["stateDirectory"] = stateDirectory.map(JSONValue.string)
    return .object(object)
  }
}
