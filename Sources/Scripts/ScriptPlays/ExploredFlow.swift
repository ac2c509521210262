import Forms

/// What exploring a script has found: the questions and steps, and what leads from one to another.
package struct ExploredFlow: Sendable, Hashable {
  /// Where a flow can be.
  package struct Node: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      case start, question, step, look, child, timer, end
    }

    package var kind: Kind
    /// The name of the operation, without a number; how the flow ends.
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

  /// What leads from one place to another.
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
  /// What questions ask, by name.
  package var titles: [String: String] = [:]
  /// How many ways have been walked to their end.
  package var paths = 0
  /// Whether there are more ways than were to be walked.
  package var isCut = false
  /// What keeps growing, so that walking on may not end; nil if nothing does, or if everything was walked.
  package var growth: String?
  /// What is wrong.
  package var problems: [ExploredProblem] = []
  /// What the author may want to know.
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

/// Something that is wrong with a script.
package struct ExploredProblem: Sendable, Hashable {
  /// The same for the same mistake on several ways.
  let id: String
  /// What is wrong.
  package var lines: [String]
  /// The answers that lead to it.
  package var path: [String]
}
