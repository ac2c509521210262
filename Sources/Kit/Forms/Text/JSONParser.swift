import Platform

/// Parses JSON texts (RFC 8259) in UTF-8.
struct JSONParser<Node: JSONNode> {
  /// The maximum number of levels, for which the stack of any thread suffices. More than a message on the bus can have.
  private static var mostLevels: Int { 512 }

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a text.
  ///
  /// - Parameter text: the text, which may begin with a byte order mark.
  /// - Returns: its value.
  /// - Throws: ``JSONSyntaxError``.
  static func parse(_ text: some Sequence<UInt8>) throws(JSONSyntaxError) -> Node {
    var parser = JSONParser(Array(text))
    return try parser.document()
  }

  private mutating func document() throws(JSONSyntaxError) -> Node {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    let value = try value(level: 0)
    guard next() == nil else { throw error(.character) }
    return value
  }

  private mutating func value(level: Int) throws(JSONSyntaxError) -> Node {
    guard let byte = next() else { throw error(.end) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object(level: level + 1)
    case UInt8(ascii: "["): return try array(level: level + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error(.character)
    }
  }

  private mutating func array(level: Int) throws(JSONSyntaxError) -> Node {
    guard level <= Self.mostLevels else { throw error(.depth) }
    index += 1
    var elements: [Node] = []
    while next() != UInt8(ascii: "]") {
      elements.append(try value(level: level))
      guard try separator(or: UInt8(ascii: "]")) else { break }
    }
    index += 1
    return .array(elements)
  }

  private mutating func object(level: Int) throws(JSONSyntaxError) -> Node {
    guard level <= Self.mostLevels else { throw error(.depth) }
    index += 1
    var members: [String: Node] = [:]
    while let byte = next(), byte != UInt8(ascii: "}") {
      guard byte == UInt8(ascii: "\"") else { throw error(.character) }
      let name = try string()
      guard next() == UInt8(ascii: ":") else { throw error(index < bytes.count ? .character : .end) }
      index += 1
      let value = try value(level: level)
      if let known = members.index(forKey: name) {
        // Swift considers canonically equivalent strings the same key; programs that compare bytes do not.
        guard members[known].key.utf8.elementsEqual(name.utf8) else { throw error(.name) }
      } else {
        members[name] = value
      }
      guard try separator(or: UInt8(ascii: "}")) else { break }
    }
    guard index < bytes.count else { throw error(.end) }
    index += 1
    return .object(members)
  }

  /// Returns whether a comma follows, which is then skipped; otherwise the end of the container follows.
  private mutating func separator(or end: UInt8) throws(JSONSyntaxError) -> Bool {
    switch next() {
    case UInt8(ascii: ","):
      index += 1
      return true
    case end: return false
    case nil: throw error(.end)
    default: throw error(.character)
    }
  }

  private mutating func word(_ word: StaticString, _ value: Node) throws(JSONSyntaxError) -> Node {
    for offset in 0..<word.utf8CodeUnitCount {
      guard index < bytes.count else { throw error(.end) }
      guard bytes[index] == word.utf8Start[offset] else { throw error(.character) }
      index += 1
    }
    return value
  }

  /// Returns the next byte that is not white space, without consuming it; nil at the end.
  private mutating func next() -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case let byte: return byte
      }
    }
    return nil
  }

  private func error(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    var line = 1
    for place in 0..<min(index, bytes.count) where bytes[place] == 0x0A { line += 1 }
    return JSONSyntaxError(reason: reason, offset: index, line: line)
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONSyntaxError) -> Node {
    let start = index
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let isZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
    let whole = try digits()
    guard !isZero || whole.count == 1 else { throw error(.number) }
    var isInteger = true
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      _ = try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      _ = try digits()
    }
    // The sign of a zero is significant only for a floating-point number.
    if isInteger, let value = whole.value, !isNegative || value != 0 { return .integer(isNegative ? -value : value) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let number = Node.numeral(text) else { throw error(.number) }
    return number
  }

  /// Consumes at least one digit. The value is nil if it exceeds `Int64`.
  private mutating func digits() throws(JSONSyntaxError) -> (value: Int64?, count: Int) {
    let start = index
    var value: Int64? = 0
    while index < bytes.count, case let digit = bytes[index], (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
      if let old = value {
        let (product, isOverflow) = old.multipliedReportingOverflow(by: 10)
        let (sum, isMoreOverflow) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
        value = isOverflow || isMoreOverflow ? nil : sum
      }
      index += 1
    }
    guard index > start else { throw error(index < bytes.count ? .number : .end) }
    return (value, index - start)
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func string() throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let text = try text(start..<index)
        index += 1
        return text
      case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
      case 0..<0x20: throw error(.character)
      default: index += 1
      }
    }
    throw error(.end)
  }

  private func text(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else { throw error(.encoding) }
    return text
  }

  private mutating func stringWithEscapes(from start: Int) throws(JSONSyntaxError) -> String {
    var result = ""
    var start = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        result += try text(start..<index)
        index += 1
        return result
      case UInt8(ascii: "\\"):
        result += try text(start..<index)
        index += 1
        result.unicodeScalars.append(try escape())
        start = index
      case 0..<0x20: throw error(.character)
      default: index += 1
      }
    }
    throw error(.end)
  }

  /// Consumes the rest of an escape after its backslash.
  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard index < bytes.count else { throw error(.end) }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      index -= 1
      throw error(.character)
    }
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw error(.encoding) }
    index += 2
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second) else { throw error(.encoding) }
    let value = 0x10000 + ((UInt32(first) - 0xD800) << 10) + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw error(.encoding) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard index < bytes.count else { throw error(.end) }
      guard let digit = bytes[index].hexadecimalDigit else { throw error(.character) }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
