import CoordinatorKit
import TestBus

@testable import CoordinatorTestKit

extension TestFlow {
  /// Starts a ``Probe`` that shows the screens with the given names. Records each end of work in `work` as soon as the
  /// tree has been notified of it.
  static func probe(
    _ names: String..., gates: Gates = Gates(), limits: Limits = Limits(), store: (any TransitionStore)? = nil,
    work: Record<WorkID> = Record()
  ) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe(gates: gates) }
    let input: [String: JSONValue] = names.isEmpty ? [:] : ["at": .array(names.map { .string($0) })]
    let renderer = RecordingRenderer()
    var environment = FlowTree.Environment(
      catalogue: catalogue, limits: limits, observer: renderer, store: store, now: { 0 })
    environment.whenWorkIsDone = { id, tell in
      tell()
      work.append(id)
    }
    let tree = FlowTree(root: "flow_1", environment: environment)
    _ = try await answer { tree.start(flow: "probe", input: input, reply: $0) }
    return TestFlow(tree: tree, renderer: renderer)
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
