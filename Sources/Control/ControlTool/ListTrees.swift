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
        rows.append(TreeRow(flow, overview.window, renderers: overview.renderers.count))
      } catch  where error.isUnknownObject {
        // The tree has ended in the meantime.
      }
    }
    return rows
  }
}

/// A flow tree in the table of `coordinatorctl list`.
struct TreeRow: Sendable, Hashable {
  static let titles = ["NAME", "FLOW", "STATE", "SCREEN", "AGE", "RENDERERS"]

  var name: String
  var flow: String
  /// `running`, `busy`, `held`, or the name of the outcome.
  var state: String
  /// The name of the screen on top; nil if there is none, or the tree has ended.
  var screen: String?
  /// When the tree was started, in microseconds since 1970; nil if it has ended.
  var startedAt: UInt64?
  /// The number of renderers that are attached; nil if the tree has ended.
  var renderers: Int?

  /// Describes a tree that runs.
  init(_ flow: ActiveFlow, _ window: MirroredWindow, renderers: Int) {
    name = TreeSelector.name(flow.coordinator)
    self.flow = flow.flow
    state = window.held != nil ? "held" : window.top?.screen.progress != nil ? "busy" : "running"
    screen = window.top?.screen.name
    startedAt = flow.startedAt
    self.renderers = renderers
  }

  /// Describes a tree that has ended.
  init(_ flow: EndedFlow) {
    name = TreeSelector.name(flow.coordinator)
    self.flow = flow.flow
    state = flow.outcome
  }

  /// Returns the cells of the row; an unknown value is a dash.
  func cells(at now: UInt64) -> [String] {
    [
      name, flow, state, screen ?? "-", startedAt.map { Self.age(since: $0, at: now) } ?? "-",
      renderers.map(String.init) ?? "-",
    ].map(\.printable)
  }

  /// The row as JSON. Unknown values are omitted.
  var json: JSONValue {
    var object: [String: JSONValue] = ["name": .string(name), "flow": .string(flow), "state": .string(state)]
    object["screen"] = screen.map(JSONValue.string)
    object["startedAt"] = startedAt.map { JSONValue(count: $0) }
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
