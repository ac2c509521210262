import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

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
