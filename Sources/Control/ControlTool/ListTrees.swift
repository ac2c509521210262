import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl list`: lists the flow trees as a table.
public struct ListTrees: Sendable {
  /// The formats of the list.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A table with titles.
    case table
    /// Only the names, one per line.
    case name
  }

  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the flow trees that run, oldest first, and before them, those that have ended.
  ///
  /// - Parameters:
  ///   - format: format of the list.
  ///   - hasEnded: whether to list ended flow trees whose outcomes are known.
  ///   - hasLegend: whether the table has titles.
  /// - Throws: ``ToolFailure``.
  public func run(format: Format = .table, ended hasEnded: Bool = false, legend hasLegend: Bool = true) async throws(ToolFailure)
  {
    let rows = try await session.doing { () async throws(ClientError) in
      let ended = hasEnded ? try await session.daemon.manager.listEnded().map { TreeRow($0) } : []
      return ended + (try await running())
    }
    let table = TextTable(titles: TreeRow.titles, rows: rows.map { $0.cells(at: Timestamp.now.microseconds) })
    session.output.say(
      format == .name ? rows.map(\.name.printable) : table.lines(style: session.output.style, hasLegend: hasLegend),
      json: .array(rows.map(\.json)))
  }

  private func running() async throws(ClientError) -> [TreeRow] {
    var rows: [TreeRow] = []
    for flow in try await session.daemon.manager.listActive().sorted(by: { $0.startedAt < $1.startedAt }) {
      guard let router = try? Contract.routerPath(of: flow.coordinator) else { continue }
      do {
        let overview = try await session.daemon.router(router).overview()
        rows.append(TreeRow(flow, overview))
      } catch  where error.isUnknownObject {
        // The tree has ended in the meantime.
      }
    }
    return rows
  }
}

/// A flow tree in the table of `coordinatorctl list`.
struct TreeRow: Sendable, Hashable {
  static let titles = ["NAME", "FLOW", "STATE", "SCREEN", "AGE", "LAST", "BY", "RENDERERS"]

  var name: String
  var flow: String
  /// `running`, `busy`, `held`, or the name of the outcome.
  var state: String
  /// The name of the screen on top; nil if there is none, or the tree has ended.
  var screen: String?
  /// When the tree was started, in microseconds since 1970; nil if it has ended.
  var startedAt: UInt64?
  /// The last transition; nil if the tree has ended, or if the daemon does not know it.
  var last: LastTransition?
  /// The number of renderers that are attached; nil if the tree has ended.
  var renderers: Int?

  /// Describes a tree that runs.
  init(_ flow: ActiveFlow, _ overview: RouterProxy.Overview) {
    let window = overview.window
    name = TreeSelector.name(flow.coordinator)
    self.flow = flow.flow
    state = window.held != nil ? "held" : window.top?.screen.progress != nil ? "busy" : "running"
    screen = window.top?.screen.name
    startedAt = flow.startedAt
    last = overview.last
    renderers = overview.renderers.count
  }

  /// Describes a tree that has ended.
  init(_ flow: EndedFlow) {
    name = TreeSelector.name(flow.coordinator)
    self.flow = flow.flow
    state = flow.outcome
  }

  /// Returns the cells of the row; an unknown value is a dash.
  ///
  /// - Parameters:
  ///   - now: the present time, in microseconds since 1970.
  ///   - nameOfUser: closure that returns the name of a user id, or nil if it has none.
  /// - Returns: the cells.
  func cells(at now: UInt64, nameOfUser: (UInt32) -> String? = HistoryStyle.systemName) -> [String] {
    let age: String? = startedAt.map { Self.age(since: $0, at: now) }
    let lastAge: String? = last.map { Self.age(since: $0.time, at: now) }
    let by: String? = last.map { Self.who($0, nameOfUser) }
    let cells: [String?] = [name, flow, state, screen, age, lastAge, by, renderers.map { "\($0)" }]
    return cells.map { ($0 ?? "-").printable }
  }

  /// Returns who caused a transition: the user and the way in which the call came or, without a call, the occasion, such as `timer`.
  private static func who(_ last: LastTransition, _ nameOfUser: (UInt32) -> String?) -> String {
    let user = last.user.map { nameOfUser($0) ?? "\($0)" }
    let caller = [user, last.way].compactMap(\.self).joined(separator: " ")
    return caller.isEmpty ? last.event : caller
  }

  /// The row as JSON. Unknown values are omitted.
  var json: JSONValue {
    var object: [String: JSONValue] = ["name": .string(name), "flow": .string(flow), "state": .string(state)]
    object["screen"] = screen.map(JSONValue.string)
    object["startedAt"] = startedAt.map { JSONValue(count: $0) }
    object["last"] = last.map { JSONValue($0) }
    object["renderers"] = renderers.map { .integer(Int64($0)) }
    return .object(object)
  }

  /// Returns an age in its largest unit: `42s`, `5m`, `2h`, `3d`.
  static func age(since start: UInt64, at now: UInt64) -> String {
    let seconds = now > start ? (now - start) / 1_000_000 : 0
    return switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(seconds / 86_400)d"
    }
  }
}

extension JSONValue {
  /// Encodes the last transition of a tree, with the keys of an entry of the history.
  init(_ last: LastTransition, nameOfUser: (UInt32) -> String? = HistoryStyle.systemName) {
    var object: [String: JSONValue] = ["time": JSONValue(count: last.time), "event": .string(last.event)]
    object["name"] = last.name.map(JSONValue.string)
    object["coordinator"] = (last.coordinator?.string).map(JSONValue.string)
    object["user"] = last.user.map { .integer(Int64($0)) }
    object["userName"] = last.user.flatMap(nameOfUser).map(JSONValue.string)
    object["way"] = last.way.map(JSONValue.string)
    self = .object(object)
  }
}
