import Yams

/// A node of a YAML document, and its location.
struct YAMLNode {
  /// The content of a node.
  enum Content {
    /// The text of a scalar, without quotation marks; `isPlain` if it has none.
    case scalar(String, isPlain: Bool)
    /// The members of a mapping, in the order of the file.
    case mapping([(key: String, value: YAMLNode)])
    /// The elements of a sequence, in order.
    case sequence([YAMLNode])
  }

  /// The keys that lead to the node.
  let keys: [String]
  private let node: Node

  init(_ node: Node, keys: [String]) {
    self.node = node
    self.keys = keys
  }

  /// Whether the node is null: `~` or empty.
  var isNothing: Bool {
    guard case .scalar(let scalar) = node else { return false }
    return scalar.style == .plain && (scalar.string.isEmpty || scalar.string == "~")
  }

  /// Returns an error at the location of the node.
  func error(_ reason: String) -> AnswersError { AnswersError(line: node.mark?.line, keys: keys, reason) }

  /// Returns the content of the node. Throws if it has an anchor or is an alias, or if a key is not a string.
  func content() throws(AnswersError) -> Content {
    guard node.anchor == nil else { throw error("anchors and aliases are not supported") }
    switch node {
    case .scalar(let scalar): return .scalar(scalar.string, isPlain: scalar.style == .plain)
    case .sequence(let sequence):
      return .sequence(sequence.enumerated().map { YAMLNode($0.element, keys: keys + ["#\($0.offset + 1)"]) })
    case .mapping(let mapping):
      var members: [(key: String, value: YAMLNode)] = []
      for pair in mapping {
        guard case .scalar(let key) = pair.key, key.anchor == nil, !key.string.isEmpty else {
          throw YAMLNode(pair.key, keys: keys).error("a key must be a string")
        }
        members.append((key.string, YAMLNode(pair.value, keys: keys + [key.string])))
      }
      return .mapping(members)
    case .alias: throw error("anchors and aliases are not supported")
    }
  }

  /// Returns the members of a mapping. Throws for any other node.
  func members(_ expected: String) throws(AnswersError) -> [(key: String, value: YAMLNode)] {
    guard case .mapping(let members) = try content() else { throw error("must be \(expected)") }
    return members
  }

  /// Returns the text of a scalar. Throws for any other node, and for null.
  func text(_ expected: String) throws(AnswersError) -> String {
    guard !isNothing, case .scalar(let text, _) = try content() else { throw error("must be \(expected)") }
    return text
  }
}
