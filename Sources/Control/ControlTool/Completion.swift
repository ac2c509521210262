import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// Completes words of a command line from the daemon's data.
public struct Completion: Sendable {
  /// The maximum time that a user who presses Tab waits.
  private static let patience = Duration.seconds(2)

  private let words: CompletionWords

  /// Creates a completion of a command line.
  public init(_ words: CompletionWords) { self.words = words }

  /// Returns the candidates for the word; none if the daemon does not answer in time.
  public func candidates(_ target: CompletionTarget) async -> [String] {
    let (answers, continuation) = AsyncStream.makeStream(of: [String].self)
    let tasks = [
      Task {
        let all = (try? await all(target)) ?? []
        continuation.yield(all)
      },
      Task {
        try? await Task.sleep(for: Self.patience)
        continuation.yield([])
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await answer in answers { return words.fitting(answer) }
    return []
  }

  private func all(_ target: CompletionTarget) async throws -> [String] {
    let daemon = try await DaemonClient.connect(to: words.bus)
    let session = ToolSession(daemon: daemon, output: ToolOutput(isJSON: true, style: TextStyle()) { _ in }) { _ in nil }
    let manager = daemon.manager
    switch target {
    case .flows: return try await manager.listFlows().map(\.name).sorted()
    case .trees: return try await trees(session)
    case .flowsAndTrees: return try await trees(session) + manager.listFlows().filter { !$0.isPart }.map(\.name).sorted()
    case .ended: return try await trees(session) + manager.listEnded().map { TreeSelector.name($0.coordinator) }
    case .tokens: return try await manager.listEnded().compactMap(\.token)
    case .screens: return try await screens(session)
    case .starting:
      guard let flow = words.arguments.first else { return try await manager.listFlows().map(\.name).sorted() }
      let fields = try await manager.listFlows().first { $0.name == flow }?.input?.fields ?? []
      return ScreenCompletion.assignments(of: fields, Array(words.arguments.dropFirst()))
    case .sending: return try await sending(session)
    }
  }

  private func trees(_ session: ToolSession) async throws -> [String] {
    try await session.daemon.manager.listActive().map { TreeSelector.name($0.coordinator) }.sorted()
  }

  /// Returns the names of the screens of the tree that the line names, or of all trees.
  private func screens(_ session: ToolSession) async throws -> [String] {
    let named = words.arguments.first { !Assignment.isAssignment($0) }
    let trees = try await trees(session).filter { name in named.map { name.bytes.hasPrefix($0) } ?? true }
    var names: [String] = []
    for tree in trees { names += try await window(session, of: tree)?.screens.reversed().map(\.screen.name) ?? [] }
    return names
  }

  private func sending(_ session: ToolSession) async throws -> [String] {
    let trees = try await trees(session)
    var rest = words.arguments[...]
    guard let first = rest.first else {
      let only = trees.count == 1 ? try await window(session, of: nil) : nil
      return (only.map { ScreenCompletion(window: $0).events } ?? []) + trees
    }
    let tree = trees.contains(first) || trees.count > 1 ? first : nil
    if tree != nil { rest = rest.dropFirst() }
    guard let window = try await window(session, of: tree) else { return [] }
    let screen = ScreenCompletion(window: window)
    guard let event = rest.popFirst() else { return screen.events }
    return screen.words(after: event, Array(rest), current: words.cut + words.current)
  }

  private func window(_ session: ToolSession, of tree: String?) async throws -> MirroredWindow? {
    try await session.window(of: session.root(tree))
  }
}
