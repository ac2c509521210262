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
