extension AnswersFile {
  /// The maximum size of an answers file, in bytes.
  public static let longestText = 1 << 18

  /// Parses an answers file.
  ///
  /// YAML 1.1 resolves `no`, `on` and `1e3` to Booleans and numbers. Here every scalar is text until the schema of its
  /// field requires otherwise. Anchors and aliases are refused, because they can expand a small file to a large one.
  ///
  /// - Parameter yaml: text of the file.
  /// - Throws: ``AnswersError`` for the first error found.
  public init(yaml: String) throws(AnswersError) {
    guard yaml.utf8.count <= Self.longestText else { throw AnswersError("is longer than \(Self.longestText) bytes") }
    self = try YAMLDocument.reading(yaml) { root throws(AnswersError) in try AnswersReader.file(root) }
  }
}
