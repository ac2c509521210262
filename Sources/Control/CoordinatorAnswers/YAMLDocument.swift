import CYAML

/// Parses YAML.
enum YAMLDocument {
  /// Parses a text, and passes its only document to a closure.
  static func reading<Result>(
    _ text: String, _ read: (YAMLNode) throws(AnswersError) -> Result
  ) throws(AnswersError) -> Result {
    guard let root = try YAMLReader(text).root() else { throw AnswersError("is empty") }
    return try read(YAMLNode(root, keys: []))
  }
}

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

  /// Whether the node is null, in the words of YAML 1.1 and 1.2.
  var isNothing: Bool {
    guard case .scalar(let text, isPlain: true) = node.content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
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

/// Reads the events of libyaml's parser, and builds the tree of the only document from them.
///
/// Building recurses, so the depth is limited. Nothing is expanded: the tree is not larger than the text.
struct YAMLReader: ~Copyable {
  /// The deepest nesting that is read. Answers files need less than ten levels.
  static let deepest = 64

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The text, which the parser reads progressively.
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// Creates a reader of a text.
  init(_ text: String) throws(AnswersError) {
    parser = .allocate(capacity: 1)
    let missing = cyaml_load()
    guard missing == nil, yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      let reason = missing.map { "libyaml cannot be loaded (\(String(cString: $0))); install libyaml-0-2" }
      throw AnswersError("cannot be read: \(reason ?? "there is not enough memory")")
    }
    self.text = .allocate(capacity: text.utf8.count)
    _ = self.text.initialize(from: text.utf8)
    yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  /// Returns the root of the document; nil if there is none.
  func root() throws(AnswersError) -> YAMLTree? {
    _ = try next()
    guard try next().kind == YAML_DOCUMENT_START_EVENT else { return nil }
    let root = try node(try next(), depth: 0)
    _ = try next()
    let rest = try next()
    guard rest.kind == YAML_STREAM_END_EVENT else {
      throw AnswersError(line: rest.line, "is not YAML: expected a single document")
    }
    return root
  }

  private func node(_ event: Event, depth: Int) throws(AnswersError) -> YAMLTree {
    guard depth < Self.deepest else { throw AnswersError(line: event.line, "is nested too deeply") }
    var tree = YAMLTree(line: event.line, hasAnchor: event.hasAnchor, content: .alias)
    switch event.kind {
    case YAML_SCALAR_EVENT: tree.content = .scalar(event.text, isPlain: event.isPlain)
    case YAML_SEQUENCE_START_EVENT: tree.content = .sequence(try elements(depth: depth + 1))
    case YAML_MAPPING_START_EVENT: tree.content = .mapping(try members(depth: depth + 1))
    default: break
    }
    return tree
  }

  private func elements(depth: Int) throws(AnswersError) -> [YAMLTree] {
    var elements: [YAMLTree] = []
    while true {
      let event = try next()
      if event.kind == YAML_SEQUENCE_END_EVENT { return elements }
      elements.append(try node(event, depth: depth))
    }
  }

  private func members(depth: Int) throws(AnswersError) -> [YAMLTree.Member] {
    var members: [YAMLTree.Member] = []
    var names: Set<String> = []
    while true {
      let event = try next()
      if event.kind == YAML_MAPPING_END_EVENT { return members }
      let key = try node(event, depth: depth)
      if case .scalar(let name, _) = key.content, !names.insert(name).inserted {
        throw AnswersError(line: key.line, "the key '\(name)' occurs twice")
      }
      members.append(YAMLTree.Member(key: key, value: try node(try next(), depth: depth)))
    }
  }
}

extension YAMLReader {
  /// The parts of libyaml's event that are used.
  private struct Event {
    var kind: yaml_event_type_t
    var line: Int
    var text = ""
    var isPlain = false
    var hasAnchor = false

    init(_ event: borrowing yaml_event_t) {
      kind = event.type
      line = Int(event.start_mark.line) + 1
      switch kind {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        // libyaml has checked that it is UTF-8.
        text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
        hasAnchor = scalar.anchor != nil
      case YAML_SEQUENCE_START_EVENT: hasAnchor = event.data.sequence_start.anchor != nil
      case YAML_MAPPING_START_EVENT: hasAnchor = event.data.mapping_start.anchor != nil
      default: break
      }
    }
  }

  private func next() throws(AnswersError) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw error }
    defer { yaml_event_delete(&event) }
    return Event(event)
  }

  /// The parser's error, without the text that it occurred in, which may contain a misplaced secret.
  private var error: AnswersError {
    let reason = parser.pointee.problem.map { "is not YAML: " + String(cString: $0) } ?? "is not YAML"
    // The text is checked in portions before it is parsed, so these errors have no line.
    guard parser.pointee.error != YAML_READER_ERROR, parser.pointee.error != YAML_MEMORY_ERROR else {
      return AnswersError(reason)
    }
    return AnswersError(line: Int(parser.pointee.problem_mark.line) + 1, reason)
  }
}
