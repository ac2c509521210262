import Platform
import RendererKit

/// The result of exploring a script: its questions and steps, and the transitions between them.
package struct ExploredFlow: Sendable, Hashable {
  /// A place in a flow.
  package struct Node: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case start, question, step, look, child, timer, end
    }

    package var kind: Kind
    /// The name of the operation, without a number; for an end, its kind.
    package var name: String

    /// The node as text.
    package var text: String {
      switch kind {
      case .start, .question: name
      case .step, .look, .child, .timer: "\(kind.rawValue) \(name)"
      case .end: name
      }
    }
  }

  /// A transition from one place to another.
  package struct Edge: Sendable, Hashable {
    package var from: Node
    package var label: String
    package var to: Node
  }

  /// The name of the flow.
  package var name: String
  /// The nodes in the order in which they were reached.
  package var nodes: [Node] = []
  /// The edges in the order in which they were found.
  package var edges: [Edge] = []
  /// The titles of questions, by name.
  package var titles: [String: String] = [:]
  /// The number of paths that were walked to their end.
  package var paths = 0
  /// The number of different states that were reached.
  package var states = 0
  /// The number of moves that were made.
  package var moves = 0
  /// How long the walk has taken, in seconds.
  package var seconds = 0.0
  /// What has ended the walk before all paths were walked; nil if all were.
  package var bound: WalkBounds.Bound?
  /// The answers that no path has taken because the walk was ended, each after its question.
  package var untried: [String] = []
  /// The part of the state that keeps growing, so that walking further may not end; nil if there is none, or if all paths were
  /// walked.
  package var growth: String?
  /// Whether a path leads back to the start, with an empty log, which ends a walk just as well.
  package var startsOver = false
  /// The checks that were not made.
  package var skipped: Set<ExploredProblem.Check> = []
  /// The problems that were found.
  package var problems: [ExploredProblem] = []
  /// Notes for the author.
  package var notes: [String] = []

  init(_ name: String) { self.name = name }

  mutating func add(_ node: Node) { if !nodes.contains(node) { nodes.append(node) } }

  mutating func add(_ edge: Edge) {
    add(edge.from)
    add(edge.to)
    if !edges.contains(edge) { edges.append(edge) }
  }

  mutating func add(_ problem: ExploredProblem) {
    if !problems.contains(where: { $0.id == problem.id && $0.check == problem.check }) { problems.append(problem) }
  }

  /// Whether nothing is wrong.
  ///
  /// - Parameter isStrict: whether warnings count.
  /// - Returns: whether it is.
  package func isFine(strictly isStrict: Bool) -> Bool {
    !problems.contains { isStrict || $0.check.severity == .error }
  }

  /// The names of the nodes of a kind, sorted.
  package func names(_ kind: Node.Kind) -> [String] { nodes.filter { $0.kind == kind }.map(\.name).sorted() }

  /// The names of the ends, and `again` if a path starts over.
  package var ends: [String] { (startsOver ? ["again"] : []) + names(.end) }
}

extension ExploredFlow {
  /// A summary on one line.
  package var summary: String {
    func list(_ kind: Node.Kind, _ word: String) -> String? {
      let names = names(kind)
      return names.isEmpty ? nil : "\(names.count) \(word)\(names.count == 1 ? "" : "s") (\(names.joined(separator: ", ")))"
    }
    let parts = [
      "\(paths) path\(paths == 1 ? "" : "s")", list(.question, "question"), list(.step, "step"), list(.look, "look"),
      list(.child, "child flow"),
    ].compactMap(\.self)
    return "\(name): \(parts.joined(separator: ", ")); ends: \(ends.joined(separator: ", "))"
  }

  /// The nodes and their edges, as lines.
  package var lines: [String] {
    var lines = [name]
    for node in nodes where node.kind != .end {
      let out = edges.filter { $0.from == node }
      if node.kind == .start {
        lines += Set(out.map(\.to.text)).sorted().map { "  → \($0)" }
        continue
      }
      lines.append("  \(node.text)\(titles[node.name].map { "  \"\($0)\"" } ?? "")")
      lines += out.map { "    \($0.label.isEmpty ? "" : "\($0.label) ")→ \($0.to.text)" }
    }
    return lines.map(\.printable)
  }

  /// The graph in the language of Graphviz.
  package var dot: String {
    var lines = ["digraph \(Self.quoted(name)) {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
    for node in nodes {
      let shape =
        switch node.kind {
        case .start: "circle"
        case .question: "box"
        case .step: "box3d"
        case .look: "ellipse"
        case .child: "component"
        case .timer: "hexagon"
        case .end: "doublecircle"
        }
      let label = node.kind == .question ? titles[node.name].map { "\(node.name)\n\($0)" } ?? node.name : node.name
      lines.append("  \(Self.quoted(Self.id(node))) [shape=\(shape), label=\(Self.quoted(label))];")
    }
    for edge in edges {
      let label = edge.label.isEmpty ? "" : " [label=\(Self.quoted(edge.label))]"
      lines.append("  \(Self.quoted(Self.id(edge.from))) -> \(Self.quoted(Self.id(edge.to)))\(label);")
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  private static func id(_ node: Node) -> String { "\(node.kind.rawValue) \(node.name)" }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      default: quoted += String(scalar).printable
      }
    }
    return quoted + "\""
  }
}
