import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import RendererKit
import ScriptEngine

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
  /// Whether there are more paths than the limit.
  package var isCut = false
  /// The part of the state that keeps growing, so that walking further may not end; nil if there is none, or if all paths were
  /// walked.
  package var growth: String?
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
    if !problems.contains(where: { $0.id == problem.id }) { problems.append(problem) }
  }

  /// The names of the nodes of a kind, sorted.
  package func names(_ kind: Node.Kind) -> [String] { nodes.filter { $0.kind == kind }.map(\.name).sorted() }
}

/// A problem of a script.
package struct ExploredProblem: Sendable, Hashable {
  /// The same for the same mistake on several paths.
  let id: String
  /// What is wrong.
  package var lines: [String]
  /// The answers that lead to it.
  package var path: [String]
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
    return "\(name): \(parts.joined(separator: ", ")); ends: \(names(.end).joined(separator: ", "))"
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

extension ExploredProblem {
  /// Advice on how to remove differences.
  static let advice = [
    "  What depends on time, chance, files or the environment belongs in a look, or in now, random and uuid."
  ]

  /// Describes a difference between two runs of a script with the same log.
  ///
  /// - Parameters:
  ///   - difference: the first difference.
  ///   - script: the script.
  ///   - path: the answers that lead to it.
  init(
    _ difference: (index: Int, one: ScriptTrace.Operation?, other: ScriptTrace.Operation?), of script: Script,
    after path: [String]
  ) {
    let (one, other) = (difference.one, difference.other)
    let number = difference.index + 1
    guard let one, let other, one.kind == other.kind, one.key == other.key,
      let (first, second) = one.content.difference(from: other.content)
    else {
      self.init(
        id: ([script.name] + [one?.key ?? "", other?.key ?? ""].sorted()).joined(separator: " "),
        lines: [
          "\(script.name): two runs with the same log differ at operation \(number):",
          "  \(one?.text(in: script) ?? "nothing")", "  \(other?.text(in: script) ?? "nothing")",
        ] + Self.advice, path: path)
      return
    }
    self.init(
      id: "\(script.name) \(LogEntry(one.key, .patch).name)",
      lines: [
        "\(script.name): two runs with the same log differ at operation \(number), \(one.text(in: script)):", "  \(first)",
        "  \(second)",
      ] + Self.advice, path: path)
  }
}

extension ScriptTrace.Operation {
  /// The operation, and its place in the script.
  func text(in script: Script) -> String {
    switch kind {
    case "finish", "cancel", "fail", "again": "\(kind) \(content[kind]?.canonicalText ?? "")"
    case "crash": "a mistake: \(key)"
    case "nothing": "nothing within 20 seconds"
    default: "\(kind) \"\(key)\"\(place(in: script).map { " at \($0)" } ?? "")"
    }
  }

  /// The file and the line. A shell script does not report it: then it is the first line with this command.
  private func place(in script: Script) -> String? {
    if !place.isEmpty { return place }
    guard let data = FileContent.read(script.path) else { return nil }
    let name = LogEntry(key, .patch).name
    let lines = String(decoding: data, as: UTF8.self).bytes.split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { line in
      let words = line.utf8.split { " \t\"'".utf8.contains($0) }.map { Substring($0) }
      let ask = words.firstIndex { $0.bytes.equals("ask") || $0.bytes.hasSuffix("(ask") || $0.bytes.hasSuffix("`ask") }
      return ask.map { words[$0...].contains { $0.bytes.equals(name) } } ?? false
    }
    return index.map { "\(script.file):\($0 + 1)" }
  }
}
