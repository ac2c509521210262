import Platform

extension PatternParser {
  enum Escape {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(PatternAssertion)
  }

  /// Parses the rest of an escape after its backslash.
  mutating func escape(start: Int) throws(PatternError) -> Escape {
    switch try next() {
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    case "k", "1"..."9": throw error(.backreference, at: start)
    case let letter: return try commonEscape(letter, start: start)
    }
  }

  /// Parses the rest of an escape in a class, where `\b` is a backspace.
  private mutating func classEscape(start: Int) throws(PatternError) -> Escape {
    switch try next() {
    case "b": return .scalar("\u{8}")
    case let letter: return try commonEscape(letter, start: start)
    }
  }

  private mutating func commonEscape(_ letter: Unicode.Scalar, start: Int) throws(PatternError) -> Escape {
    switch letter {
    case "d": return .set(.digits)
    case "D": return .set(.notDigits)
    case "w": return .set(.word)
    case "W": return .set(.notWord)
    case "s": return .set(.space)
    case "S": return .set(.notSpace)
    case "p": return .set(ScalarSet(categories: try categories(start: start)))
    case "P": return .set(ScalarSet(categories: try categories(start: start).complement))
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "v": return .scalar("\u{B}")
    case "f": return .scalar("\u{C}")
    case "r": return .scalar("\r")
    case "0":
      if let digit = peek, ("0"..."9").contains(digit) { throw error(.unknownEscape, at: start) }
      return .scalar("\0")
    case "c":
      guard let control = peek, ("a"..."z").contains(control) || ("A"..."Z").contains(control) else {
        throw error(.unknownEscape, at: start)
      }
      position += 1
      return .scalar(Unicode.Scalar(UInt8(control.value & 0x1F)))
    case "x": return .scalar(try scalar(try hexadecimal(digits: 2, start: start), start: start))
    case "u": return .scalar(try unicodeEscape(start: start))
    case _ where letter.isASCII && !ScalarSet.word.contains(letter) && letter.value > 0x20 && letter.value < 0x7F:
      return .scalar(letter)
    default: throw error(.unknownEscape, at: start)
    }
  }

  private mutating func categories(start: Int) throws(PatternError) -> GeneralCategories {
    guard skip("{") else { throw error(.unknownEscape, at: start) }
    var name = ""
    while true {
      let scalar = try next()
      if scalar == "}" { break }
      name.unicodeScalars.append(scalar)
    }
    guard let categories = GeneralCategories(named: name) else { throw error(.unknownProperty(name), at: start) }
    return categories
  }

  /// Parses `\u0041`, `\u{1F600}`, or the two halves of a surrogate pair: `\uD83D\uDE00`.
  private mutating func unicodeEscape(start: Int) throws(PatternError) -> Unicode.Scalar {
    if skip("{") {
      var value: UInt32 = 0
      var digits = 0
      while !skip("}") {
        value = value << 4 | (try hexadecimal(digits: 1, start: start))
        digits += 1
        guard value <= 0x10FFFF else { throw error(.unknownEscape, at: start) }
      }
      guard digits > 0 else { throw error(.unknownEscape, at: start) }
      return try scalar(value, start: start)
    }
    let value = try hexadecimal(digits: 4, start: start)
    guard (0xD800...0xDBFF).contains(value), skip("\\u") else { return try scalar(value, start: start) }
    let low = try hexadecimal(digits: 4, start: start)
    guard (0xDC00...0xDFFF).contains(low) else { throw error(.unknownEscape, at: start) }
    return try scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00), start: start)
  }

  private mutating func hexadecimal(digits: Int, start: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      let scalar = try next()
      guard let digit = UInt8(exactly: scalar.value)?.hexadecimalDigit else { throw error(.unknownEscape, at: start) }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private func scalar(_ value: UInt32, start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw error(.unknownEscape, at: start) }
    return scalar
  }

  // MARK: Classes

  /// Parses the rest of a class after `[`.
  mutating func characterClass(start: Int) throws(PatternError) -> ScalarSet {
    var result = ScalarSet()
    if skip("^") { result.negate() }
    while !skip("]") {
      guard peek != nil else { throw error(.unterminated, at: start) }
      let itemStart = position
      let first = try classItem()
      let dash = position
      guard skip("-"), peek != "]" else {
        position = dash
        insert(first, into: &result)
        continue
      }
      guard case .scalar(let low) = first, case .scalar(let high) = try classItem(), low <= high else {
        throw error(.badRange, at: itemStart)
      }
      result.insert(low...high)
    }
    result.normalize()
    return result
  }

  private mutating func classItem() throws(PatternError) -> Escape {
    let start = position
    let scalar = try next()
    return scalar == "\\" ? try classEscape(start: start) : .scalar(scalar)
  }

  private func insert(_ item: Escape, into set: inout ScalarSet) {
    switch item {
    case .scalar(let scalar): set.insert(scalar...scalar)
    case .set(let other): set.insert(other)
    case .assertion: break
    }
  }
}
