import Yams

/// A value of a YAML file, and where it stands.
struct YAMLNode {
  /// What it can be.
  enum Content {
    /// What was written, without its quotation marks; `isPlain` if it has none.
    case scalar(String, isPlain: Bool)
    /// Members in the order of the file.
    case mapping([(key: String, value: YAMLNode)])
    /// Elements in order.
    case sequence([YAMLNode])
  }

  /// The keys that lead to it.
  let keys: [String]
  private let node: Node

  init(_ node: Node, keys: [String]) {
    self.node = node
    self.keys = keys
  }

  /// Whether it is written as nothing: `~`, or not at all.
  var isNothing: Bool {
    guard case .scalar(let scalar) = node else { return false }
    return scalar.style == .plain && (scalar.string.isEmpty || scalar.string == "~")
  }

  /// What is wrong with it.
  func error(_ reason: String) -> AnswersError { AnswersError(line: node.mark?.line, keys: keys, reason) }

  /// What it is.
  func content() throws(AnswersError) -> Content {
    guard node.anchor == nil else { throw error("anchors and aliases are not taken") }
    switch node {
    case .scalar(let scalar): return .scalar(scalar.string, isPlain: scalar.style == .plain)
    case .sequence(let sequence):
      return .sequence(sequence.enumerated().map { YAMLNode($0.element, keys: keys + ["#\($0.offset + 1)"]) })
    case .mapping(let mapping):
      var members: [(key: String, value: YAMLNode)] = []
      for pair in mapping {
        guard case .scalar(let key) = pair.key, key.anchor == nil, !key.string.isEmpty else {
          throw YAMLNode(pair.key, keys: keys).error("a key must be a text")
        }
        members.append((key.string, YAMLNode(pair.value, keys: keys + [key.string])))
      }
      return .mapping(members)
    case .alias: throw error("anchors and aliases are not taken")
    }
  }

  /// Its members; something else is an error.
  func members(_ expected: String) throws(AnswersError) -> [(key: String, value: YAMLNode)] {
    guard case .mapping(let members) = try content() else { throw error("must be \(expected)") }
    return members
  }

  /// Its text; something else is an error.
  func text(_ expected: String) throws(AnswersError) -> String {
    guard !isNothing, case .scalar(let text, _) = try content() else { throw error("must be \(expected)") }
    return text
  }
}
