import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl tree`: draws all flow trees.
public struct DrawTrees: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints every active flow tree: its coordinators, each with its screens. The top screen is in brackets.
  ///
  /// - Parameter hasEnded: whether to print the flow trees that have ended, too.
  /// - Throws: ``ToolFailure``.
  public func run(ended hasEnded: Bool = false) async throws(ToolFailure) {
    let ended =
      hasEnded
      ? try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listEnded() } : []
    let nodes = try await TreeNodes(session).all()
    let nothing = ["No flow is running; start one with 'coordinatorctl start FLOW'."]
    let style = session.output.style
    let lines = ended.map { $0.line(style: style) } + nodes.flatMap { $0.lines(style: style) }
    session.output.say(lines.isEmpty ? nothing : lines, json: .array(ended.map(\.json) + nodes.map(\.json)))
  }
}

extension EndedFlow {
  fileprivate func line(style: TextStyle) -> String {
    style.strong(TreeSelector.name(coordinator).printable) + "  " + style.quiet("ended: \(outcome.printable)")
  }

  fileprivate var json: JSONValue {
    var object: [String: JSONValue] = [
      "coordinator": .string(coordinator.string), "flow": .string(flow), "outcome": .string(outcome),
    ]
    object["token"] = token.map(JSONValue.string)
    return .object(object)
  }
}

/// A coordinator and its descendants, as `tree` draws them.
struct TreeNode: Sendable, Hashable {
  /// A screen of the coordinator.
  struct Screen: Sendable, Hashable {
    var id: UInt64
    var name: String
    var isTop: Bool
  }

  var path: ObjectPath
  var flow: String
  var token: String?
  var startedAt: UInt64
  /// The reason why the coordinator receives no events; nil if it is not held.
  var held: String?
  var screens: [Screen]
  var children: [TreeNode]
  /// The renderers that are attached to the tree; nil for a coordinator that is not a root.
  var participants: [Participant]?

  /// Returns the lines of the node and its descendants. The reason why a tree is held is printed below its root only.
  func lines(style: TextStyle, isRoot: Bool = true) -> [String] {
    let last = path.elements.last.map(String.init) ?? path.string
    let own =
      style.strong(last.printable) + (screens.isEmpty ? "" : "  " + screens.map { text(of: $0, style) }.joined(separator: ", "))
    let branches = children.enumerated().flatMap { index, child in
      let isLast = index == children.count - 1
      let (first, rest) = Self.branch(isLast: isLast, style)
      return child.lines(style: style, isRoot: false).enumerated().map { ($0.offset == 0 ? first : rest) + $0.element }
    }
    let reason = isRoot ? held.map { ["   held: \($0.printable)"] } ?? [] : []
    let here = participants?.flatMap(\.titles) ?? []
    let company = here.isEmpty ? [] : ["   " + style.quiet("here: \(here.joined(separator: ", "))")]
    return [own] + reason + company + branches
  }

  /// The node and its descendants as JSON.
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "coordinator": .string(path.string),
      "flow": .string(flow),
      "startedAt": JSONValue(count: startedAt),
      "screens": .array(
        screens.map { ["id": JSONValue(count: $0.id), "name": .string($0.name), "top": .boolean($0.isTop)] }),
      "children": .array(children.map(\.json)),
    ]
    object["token"] = token.map(JSONValue.string)
    object["renderers"] = participants.map { .array($0.map { JSONValue($0) }) }
    object["held"] = held.map(JSONValue.string)
    return .object(object)
  }

  private func text(of screen: Screen, _ style: TextStyle) -> String {
    let name = "\(screen.id) \(screen.name.printable)"
    return screen.isTop ? "[\(name)]" : style.quiet(name)
  }

  private static func branch(isLast: Bool, _ style: TextStyle) -> (first: String, rest: String) {
    switch (style.isUnicode, isLast) {
    case (true, true): ("└─ ", "   ")
    case (true, false): ("├─ ", "│  ")
    case (false, true): ("`- ", "   ")
    case (false, false): ("|- ", "|  ")
    }
  }
}

/// Reads the active flow trees.
struct TreeNodes {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Reads all active flow trees, oldest first.
  func all() async throws(ToolFailure) -> [TreeNode] {
    try await session.doing { () async throws(ClientError) in
      var nodes: [TreeNode] = []
      for flow in try await session.daemon.manager.listActive().sorted(by: { $0.startedAt < $1.startedAt }) {
        guard let window = try await present({ () async throws(ClientError) in try await session.window(of: flow.coordinator) })
        else { continue }
        guard var node = try await node(flow.coordinator, in: window) else { continue }
        node.token = flow.token
        node.participants = try await present { () async throws(ClientError) in
          try await session.participants(of: flow.coordinator)
        }
        nodes.append(node)
      }
      return nodes
    }
  }

  /// Reads a coordinator and its descendants; nil if the coordinator has ended in the meantime.
  private func node(_ path: ObjectPath, in window: MirroredWindow) async throws(ClientError) -> TreeNode? {
    let coordinator = session.daemon.coordinator(path)
    guard let details = try await present({ () async throws(ClientError) in try await coordinator.details() }) else {
      return nil
    }
    var children: [TreeNode] = []
    for child in details.children {
      if let node = try await node(child, in: window) { children.append(node) }
    }
    let screens = details.screens.map { id in
      let screen = window.screens.first { $0.id == id }
      return TreeNode.Screen(id: id, name: screen?.screen.name ?? "", isTop: window.top?.id == id)
    }
    return TreeNode(
      path: path, flow: details.flow, token: nil, startedAt: details.startedAt, held: details.held, screens: screens,
      children: children)
  }

  /// Returns the result of a call on an object, or nil if the object no longer exists.
  private func present<Result: Sendable>(
    _ call: () async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result? {
    do {
      return try await call()
    } catch {
      guard error.isUnknownObject else { throw error }
      return nil
    }
  }
}

/// `coordinatorctl retry`: retries the flow trees and coordinators that are held.
public struct RetryHeld: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Retries the flow trees and coordinators that are held, and prints those that are still held.
  ///
  /// - Parameter coordinator: the coordinator that the result is about, as a command names it; nil for all.
  /// - Returns: the exit code; an error if any of them is still held.
  /// - Throws: ``ToolFailure``.
  public func run(_ coordinator: String? = nil) async throws(ToolFailure) -> ToolExit {
    let path: ObjectPath? = if let coordinator { try await session.coordinator(coordinator) } else { nil }
    let (takenUp, held) = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.retryHeld() }
    let left = held == 0 ? [] : try await TreeNodes(session).all().flatMap { $0.heldNodes(at: path) }
    guard path == nil else { return report(left) }
    let summary = "\(takenUp) no longer held, \(held) still held"
    session.output.say(
      [summary] + left.map(\.heldLine), json: ["takenUp": .integer(Int64(takenUp)), "held": .array(left.map(\.json))])
    return held == 0 ? .success : .error
  }

  private func report(_ left: [TreeNode]) -> ToolExit {
    session.output.say(left.isEmpty ? ["not held"] : left.map(\.heldLine), json: ["held": .array(left.map(\.json))])
    return left.isEmpty ? .success : .error
  }
}

extension TreeNode {
  /// Returns the held coordinators of the tree, or the one with a path if it is held.
  fileprivate func heldNodes(at path: ObjectPath?) -> [TreeNode] {
    guard let path else { return held == nil ? [] : [self] }
    guard self.path != path else { return held == nil ? [] : [self] }
    return children.flatMap { $0.heldNodes(at: path) }
  }

  /// The line with the coordinator and the reason why it is held.
  fileprivate var heldLine: String {
    "  \(path.elements.last.map(String.init)?.printable ?? ""): \(held?.printable ?? "")"
  }
}
