import Platform

/// Parses the subset of XML that introspection data uses: elements and attributes.
///
/// Comments, processing instructions and the DOCTYPE are skipped. The DOCTYPE cannot declare anything, so the only
/// entities are the five predefined ones, and nothing expands while it is parsed.
///
/// Source: Extensible Markup Language (XML) 1.0.
struct XMLReader {
  let text: [UInt8]
  private var position = 0

  /// The maximum nesting of elements, which no introspection data exceeds.
  private static let maximumDepth = 64

  init(_ text: String) {
    self.text = Array(text.utf8)
  }

  /// Parses the document and returns its root element.
  mutating func document() throws(InvalidIntrospection) -> XMLElement {
    if take("\u{FEFF}") {}
    try skipBetween()
    if take("<!DOCTYPE") {
      try skipDoctype()
      try skipBetween()
    }
    guard peek == UInt8(ascii: "<") else { throw fault("expected an element") }
    let root = try element(depth: 1)
    try skipBetween()
    guard position == text.count else { throw fault("expected nothing after the root element") }
    return root
  }

  // MARK: Elements

  private mutating func element(depth: Int) throws(InvalidIntrospection) -> XMLElement {
    guard depth <= Self.maximumDepth else { throw fault("elements are nested too deep") }
    let start = position
    position += 1
    var element = XMLElement(name: try name(), offset: start)
    element.attributes = try attributes()
    if take("/>") { return element }
    guard take(">") else { throw fault("expected '>'") }
    while !take("</") {
      try readContent(of: &element, depth: depth)
    }
    guard try name() == element.name else { throw fault("expected </\(element.name)>") }
    skipSpace()
    guard take(">") else { throw fault("expected '>'") }
    return element
  }

  private mutating func readContent(of element: inout XMLElement, depth: Int) throws(InvalidIntrospection) {
    guard let byte = peek else { throw fault("the document ends inside of <\(element.name)>") }
    if try skipRemark() { return }
    if take("<![CDATA[") {
      try skip(past: "]]>")
      element.holdsText = true
    } else if byte == UInt8(ascii: "<") {
      element.children.append(try self.element(depth: depth + 1))
    } else if byte == UInt8(ascii: "&") {
      _ = try reference()
      element.holdsText = true
    } else {
      if !Self.isSpace(byte) { element.holdsText = true }
      position += 1
    }
  }

  private mutating func attributes() throws(InvalidIntrospection) -> [String: String] {
    var result: [String: String] = [:]
    while true {
      let spaced = skipSpace()
      guard let byte = peek, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else { return result }
      guard spaced else { throw fault("expected white space before an attribute") }
      let key = try name()
      skipSpace()
      guard take("=") else { throw fault("expected '=' after the attribute \(key)") }
      skipSpace()
      let value = try attributeValue()
      guard result.updateValue(value, forKey: key) == nil else { throw fault("the attribute \(key) occurs twice") }
    }
  }

  private mutating func attributeValue() throws(InvalidIntrospection) -> String {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw fault("expected a quoted value")
    }
    position += 1
    var value: [UInt8] = []
    while let byte = peek, byte != quote {
      switch byte {
      case UInt8(ascii: "<"):
        throw fault("'<' in a value")
      case UInt8(ascii: "&"):
        value += String(try reference()).utf8
      default:
        guard byte >= 0x20 || Self.isSpace(byte) else { throw fault("a control character in a value") }
        value.append(Self.isSpace(byte) ? UInt8(ascii: " ") : byte)
        position += 1
      }
    }
    guard peek == quote else { throw fault("a value without end") }
    position += 1
    return String(decoding: value, as: UTF8.self)
  }

  /// Parses a character written as `&name;` or `&#number;`.
  private mutating func reference() throws(InvalidIntrospection) -> Unicode.Scalar {
    let start = position
    let longest = 10
    guard let end = text[start...].prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { throw fault("'&' without ';'") }
    let name = String(decoding: text[(start + 1)..<end], as: UTF8.self)
    guard let scalar = Self.scalar(of: name) else { throw fault("an unknown reference") }
    position = end + 1
    return scalar
  }

  private static func scalar(of reference: String) -> Unicode.Scalar? {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard reference.hasPrefix("#") else { return nil }
      let isHexadecimal = reference.hasPrefix("#x")
      let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first?.isHexDigit == true, let number = UInt32(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
      return Unicode.Scalar(number).flatMap { MarkupText.isXMLCharacter($0) ? $0 : nil }
    }
  }

  private mutating func name() throws(InvalidIntrospection) -> String {
    let start = position
    while let byte = peek, Self.isNameCharacter(byte, first: position == start) { position += 1 }
    guard position > start else { throw fault("expected a name") }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  // MARK: Skipping

  /// Skips comments, processing instructions and white space outside the root element.
  private mutating func skipBetween() throws(InvalidIntrospection) {
    repeat { skipSpace() } while try skipRemark()
  }

  /// Skips a comment or processing instruction at the current position. Returns whether there was one.
  private mutating func skipRemark() throws(InvalidIntrospection) -> Bool {
    if take("<!--") {
      try skip(past: "--")
      guard take(">") else { throw fault("'--' in a comment") }
      return true
    }
    guard take("<?") else { return false }
    try skip(past: "?>")
    return true
  }

  private mutating func skipDoctype() throws(InvalidIntrospection) {
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: ">"):
        return
      case UInt8(ascii: "\""):
        try skip(past: "\"")
      case UInt8(ascii: "'"):
        try skip(past: "'")
      case UInt8(ascii: "["), UInt8(ascii: "<"):
        throw fault("the DOCTYPE declares something")
      default:
        break
      }
    }
    throw fault("the DOCTYPE does not end")
  }

  private mutating func skip(past end: StaticString) throws(InvalidIntrospection) {
    let start = position
    while position < text.count {
      if take(end) { return }
      position += 1
    }
    position = start
    throw fault("expected \(end) somewhere after this")
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while let byte = peek, Self.isSpace(byte) { position += 1 }
    return position > start
  }

  // MARK: Bytes

  private var peek: UInt8? { position < text.count ? text[position] : nil }

  private mutating func take(_ expected: StaticString) -> Bool {
    let matches = expected.withUTF8Buffer { text[position...].starts(with: $0) }
    if matches { position += expected.utf8CodeUnitCount }
    return matches
  }

  private func fault(_ reason: String) -> InvalidIntrospection { InvalidIntrospection(reason, at: position, in: text) }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func isNameCharacter(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
    default: false
    }
  }
}
