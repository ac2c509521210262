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
