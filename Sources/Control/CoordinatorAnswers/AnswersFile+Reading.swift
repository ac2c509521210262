extension AnswersFile {
  /// The longest text that is read, in bytes.
  public static let longestText = 1 << 18

  /// Reads an answers file.
  ///
  /// YAML 1.1 takes `no`, `on` and `1e3` for something else than the texts that they are. Here everything is a text until the
  /// schema of its field says otherwise. Anchors and aliases are refused: they make a small file large.
  ///
  /// - Parameter yaml: The text of the file.
  /// - Throws: `AnswersError`, for the first thing that is wrong.
  public init(yaml: String) throws(AnswersError) {
    guard yaml.utf8.count <= Self.longestText else { throw AnswersError("is longer than \(Self.longestText) bytes") }
    // The parser puts the whole value in the place of an alias and hashes keys, so that a few of them in a key make it busy for ever.
    guard AliasCount.isHarmless(yaml) else { throw AnswersError("anchors and aliases are not taken") }
    self = try YAMLDocument.reading(yaml) { root throws(AnswersError) in try AnswersReader.file(root) }
  }
}
