import Yams

/// The one place that knows the YAML library.
enum YAMLDocument {
  /// Parses a text, and reads its only document.
  static func reading<Result>(
    _ text: String, _ read: (YAMLNode) throws(AnswersError) -> Result
  ) throws(AnswersError) -> Result {
    let parser: Parser
    let root: Node?
    do {
      parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      root = try parser.singleRoot()
    } catch {
      throw AnswersError(yaml: error)
    }
    guard let root else { throw AnswersError("is empty") }
    // The nodes know their anchors only as long as the parser lives.
    defer { withExtendedLifetime(parser) {} }
    return try read(YAMLNode(root, keys: []))
  }
}

extension AnswersError {
  /// What the YAML library says, without the line of the file that it shows.
  fileprivate init(yaml error: any Error) {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      self.init(line: mark.line, "is not YAML: \(problem)")
    case YamlError.reader(let problem, _, _, _): self.init("is not YAML: \(problem)")
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      self.init(line: context.mark.line, "the key \(keys.map { "'\($0)'" }.joined(separator: ", ")) is there twice")
    default: self.init("is not YAML")
    }
  }
}
