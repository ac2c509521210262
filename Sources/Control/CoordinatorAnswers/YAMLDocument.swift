import Yams

/// The only code that uses the YAML library's parser.
enum YAMLDocument {
  /// Parses a text, and passes its only document to a closure.
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
    // A node keeps its anchor only while the parser is alive.
    defer { withExtendedLifetime(parser) {} }
    return try read(YAMLNode(root, keys: []))
  }
}

extension AnswersError {
  /// Converts an error of the YAML library, without the line of the file that it quotes.
  fileprivate init(yaml error: any Error) {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      self.init(line: mark.line, "is not YAML: \(problem)")
    case YamlError.reader(let problem, _, _, _): self.init("is not YAML: \(problem)")
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      self.init(line: context.mark.line, "the key \(keys.map { "'\($0)'" }.joined(separator: ", ")) occurs twice")
    default: self.init("is not YAML")
    }
  }
}
