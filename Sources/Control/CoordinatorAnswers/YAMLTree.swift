/// A node of a YAML document as written: aliases are not followed, and scalars are not interpreted.
struct YAMLTree: Sendable {
  /// The content of a node.
  enum Content: Sendable {
    /// A scalar's text without quotation marks; `isPlain` if it has none.
    case scalar(String, isPlain: Bool)
    /// The members of a mapping, in the order of the file.
    case mapping([Member])
    /// The elements of a sequence, in order.
    case sequence([YAMLTree])
    /// A reference to a node that has an anchor.
    case alias
  }

  /// A key and its value; the key can be any node.
  struct Member: Sendable {
    var key: YAMLTree
    var value: YAMLTree
  }

  /// The line on which the node begins; the first one is 1.
  var line: Int
  /// Whether the node has an anchor, which an alias could refer to.
  var hasAnchor = false
  var content: Content
}
