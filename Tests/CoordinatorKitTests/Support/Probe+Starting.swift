import CoordinatorKit
import CoordinatorTestKit

extension TestFlow {
  /// Starts a ``Probe`` that shows the screens with the given names.
  static func probe(
    _ names: String..., gates: Gates = Gates(), limits: Limits = Limits(), store: (any TransitionStore)? = nil
  ) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe(gates: gates) }
    let input: [String: JSONValue] = names.isEmpty ? [:] : ["at": .array(names.map { .string($0) })]
    return try await start("probe", input: input, in: catalogue, limits: limits, store: store)
  }

  /// Tells the root coordinator what to do, without a screen.
  @discardableResult
  func tell(_ command: ProbeCommand, _ argument: String? = nil) async throws -> TreeAnswer {
    try await tell(tree.root, command, argument)
  }

  /// Tells the coordinator at a path what to do, without a screen.
  @discardableResult
  func tell(_ path: CoordinatorPath, _ command: ProbeCommand, _ argument: String? = nil) async throws -> TreeAnswer {
    let payload: [String: JSONValue] = argument.map { ["a": .string($0)] } ?? [:]
    return try await call(.delegate(path, screen: nil, event: command.rawValue, payload: payload, seen: nil))
  }

  /// Returns the path of a coordinator below the root.
  func path(_ names: String...) -> CoordinatorPath { names.reduce(tree.root) { $0.child($1) } }
}
