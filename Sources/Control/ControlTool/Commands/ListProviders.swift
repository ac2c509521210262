import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl providers`: lists the programs that serve flows.
public struct ListProviders: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the programs that serve flows, as a table.
  ///
  /// - Throws: ``ToolFailure``.
  public func run() async throws(ToolFailure) {
    let providers = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listProviders() }
    session.output.say(
      ProviderTableText(providers).lines(style: session.output.style), json: .array(providers.map(JSONValue.init)))
  }
}

/// The programs that serve flows as a table, with the problem of each below it.
struct ProviderTableText {
  private static let titles = ["NAME", "STATE", "LIVE", "HELD", "FLOWS"]

  private let providers: [ProviderListing]

  init(_ providers: [ProviderListing]) { self.providers = providers }

  /// Returns the lines of the table.
  func lines(style: TextStyle) -> [String] {
    let rows = providers.map { provider in
      [
        provider.name.isEmpty ? "?" : provider.name.printable,
        provider.origin == "builtin" ? "built in" : provider.state.printable,
        "\(provider.live)", "\(provider.held)", provider.flows.map(\.printable).joined(separator: " "),
      ]
    }
    let widths = Self.titles.indices.map { column in ([Self.titles] + rows).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return [style.quiet(line(Self.titles))]
      + zip(providers, rows).flatMap { provider, row in
        [line(row)] + [provider.file, provider.problem].compactMap { $0.map { "  \($0.printable)" } }
      }
  }
}

extension JSONValue {
  /// Encodes a program that serves flows.
  init(_ provider: ProviderListing) {
    var object: [String: JSONValue] = [
      "name": .string(provider.name), "origin": .string(provider.origin), "state": .string(provider.state),
      "flows": .array(provider.flows.map(JSONValue.string)), "live": .integer(Int64(provider.live)),
      "held": .integer(Int64(provider.held)),
    ]
    object["title"] = provider.title.map(JSONValue.string)
    object["problem"] = provider.problem.map(JSONValue.string)
    object["file"] = provider.file.map(JSONValue.string)
    self = .object(object)
  }
}
