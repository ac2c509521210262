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
  private let node: YAMLTree

  init(_ node: YAMLTree, keys: [String]) {
    self.node = node
    self.keys = keys
  }

  /// Whether the node is null: `~` or empty.
  var isNothing: Bool {
    guard case .scalar(let text, isPlain: true) = node.content else { return false }
    return text.isEmpty || text == "~"
  }

  /// Returns an error at the location of the node.
  func error(_ reason: String) -> AnswersError { AnswersError(line: node.line, keys: keys, reason) }

  /// Returns the content of the node. Throws if it has an anchor or is an alias, or if a key is not a string.
  func content() throws(AnswersError) -> Content {
    guard !node.hasAnchor else { throw error("anchors and aliases are not supported") }
    switch node.content {
    case .scalar(let text, let isPlain): return .scalar(text, isPlain: isPlain)
    case .sequence(let elements):
      return .sequence(elements.enumerated().map { YAMLNode($0.element, keys: keys + ["#\($0.offset + 1)"]) })
    case .mapping(let mapping):
      var members: [(key: String, value: YAMLNode)] = []
      for member in mapping {
        guard case .scalar(let key, _) = member.key.content, !member.key.hasAnchor, !key.isEmpty else {
          throw YAMLNode(member.key, keys: keys).error("a key must be a string")
        }
        members.append((key, YAMLNode(member.value, keys: keys + [key])))
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
