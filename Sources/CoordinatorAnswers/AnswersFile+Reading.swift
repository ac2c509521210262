import Yams

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

/// Counts what may be an alias, without parsing: `*` at the beginning of a word.
enum AliasCount {
  /// So many cannot become more than a few times the file, whatever they stand for.
  static let limit = 8

  static func isHarmless(_ text: String) -> Bool {
    var count = 0
    var isAtStart = true
    var isAfterStar = false
    for byte in text.utf8 {
      if isAfterStar, isName(byte) {
        count += 1
        if count > limit { return false }
      }
      isAfterStar = isAtStart && byte == UInt8(ascii: "*")
      isAtStart = isSeparator(byte)
    }
    return true
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "-"), UInt8(ascii: "}"), UInt8(ascii: "]"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), 0x80...:
      true
    default: false
    }
  }
}

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
