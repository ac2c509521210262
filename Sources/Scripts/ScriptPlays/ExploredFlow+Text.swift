import Forms
import RendererKit

extension ExploredFlow {
  /// What was walked, on one line.
  package var summary: String {
    func list(_ kind: Node.Kind, _ word: String) -> String? {
      let names = names(kind)
      return names.isEmpty ? nil : "\(names.count) \(word)\(names.count == 1 ? "" : "s") (\(names.joined(separator: ", ")))"
    }
    let parts = [
      "\(paths) path\(paths == 1 ? "" : "s")", list(.question, "question"), list(.step, "step"), list(.look, "look"),
      list(.child, "child flow"),
    ].compactMap(\.self)
    return "\(name): \(parts.joined(separator: ", ")); ends: \(names(.end).joined(separator: ", "))"
  }

  /// The nodes and what leads from each, as lines.
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
