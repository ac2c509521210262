/// The address of a mailbox according to RFC 5321, section 4.1.2, without internationalized names.
enum EmailAddress {
  private static let atom = ByteSet.alphanumeric.union(ByteSet("!#$%&'*+-/=?^_`{|}~"))
  private static let tag = Array("ipv6:".utf8)

  /// Returns whether a string is a valid address, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[(at + 1)...]
    guard (1...64).contains(local.count) else { return false }
    return (isDotted(local) || isQuoted(local)) && (HostName.isValid(domain) || isLiteral(domain))
  }

  private static func isDotted(_ local: ArraySlice<UInt8>) -> Bool {
    local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.allSatisfy(atom.contains)
    }
  }

  private static func isQuoted(_ local: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard local.count >= 2, local.first == quote, local.last == quote else { return false }
    var isEscaped = false
    for byte in local.dropFirst().dropLast() {
      guard ByteSet.printable.contains(byte) else { return false }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == quote {
        return false
      }
    }
    return !isEscaped
  }

  /// Returns whether the domain is an address in brackets: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. No tag other than
  /// `IPv6` is registered.
  private static func isLiteral(_ domain: ArraySlice<UInt8>) -> Bool {
    guard domain.count >= 2, domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else { return false }
    let address = domain.dropFirst().dropLast()
    if InternetAddress.isVersion4(address) { return true }
    let isTagged =
      address.count > tag.count
      && zip(address, tag).allSatisfy { byte, expected in
        byte == expected || ByteSet.letters.contains(byte) && byte | 0x20 == expected
      }
    return isTagged && InternetAddress.isVersion6(address.dropFirst(tag.count))
  }
}

/// Host names according to RFC 1123, section 2.1, and RFC 952: labels of letters, digits and hyphens.
enum HostName {
  private static let label = ByteSet.alphanumeric.union(ByteSet("-"))

  /// Returns whether the bytes are a host name, without a dot at its end.
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (1...253).contains(text.count) else { return false }
    return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
      (1...63).contains(part.count) && part.first != hyphen && part.last != hyphen && part.allSatisfy(label.contains)
    }
  }
}

/// IP addresses as text, without zones and prefix lengths.
enum InternetAddress {
  /// Returns whether the bytes are an IPv4 address: four numbers from 0 to 255 without leading zeros (RFC 3986, which resolves
  /// an ambiguity of RFC 2673).
  static func isVersion4(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    for index in 0..<4 {
      if index > 0, !cursor.skip(".") { return false }
      let digits = cursor.prefix(of: .digits)
      guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
      guard digits.reduce(0, { $0 * 10 + Int($1 - UInt8(ascii: "0")) }) <= 255 else { return false }
    }
    return cursor.isAtEnd
  }

  /// Returns whether the bytes are an IPv6 address according to RFC 4291, section 2.2: eight groups of hexadecimal
  /// digits, of which `::` omits one or more, and of which an IPv4 address may replace the last two.
  static func isVersion6(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    var groups = 0
    var isShortened = false
    if cursor.skip(":") {
      guard cursor.skip(":") else { return false }
      isShortened = true
      if cursor.isAtEnd { return true }
    }
    while true {
      let start = cursor.rest
      let digits = cursor.prefix(of: .hexadecimal)
      if cursor.peek == UInt8(ascii: ".") {
        groups += 2
        return isVersion4(start) && isComplete(groups, isShortened)
      }
      guard (1...4).contains(digits.count) else { return false }
      groups += 1
      if cursor.isAtEnd { return isComplete(groups, isShortened) }
      guard cursor.skip(":") else { return false }
      guard cursor.skip(":") else { continue }
      guard !isShortened else { return false }
      isShortened = true
      if cursor.isAtEnd { return isComplete(groups, isShortened) }
    }
  }

  private static func isComplete(_ groups: Int, _ isShortened: Bool) -> Bool { isShortened ? groups < 8 : groups == 8 }
}

/// A position in the bytes of a string, for the parsers of formats. It only moves forward, so that each parser takes linear
/// time.
struct ByteCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var peek: UInt8? { rest.first }

  /// Removes the next byte if it is the given character.
  ///
  /// - Returns: whether it is.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipOne() { rest = rest.dropFirst() }

  /// Removes the next byte if it is one of the given characters, and returns it.
  mutating func next(of characters: ByteSet) -> UInt8? {
    guard let byte = rest.first, characters.contains(byte) else { return nil }
    rest.removeFirst()
    return byte
  }

  /// Removes and returns the longest prefix that consists of the given characters.
  mutating func prefix(of characters: ByteSet) -> ArraySlice<UInt8> {
    let prefix = rest.prefix { characters.contains($0) }
    rest.removeFirst(prefix.count)
    return prefix
  }

  /// Removes exactly `count` decimal digits, and returns their value; nil if there are fewer.
  mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = next(of: .digits) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

/// A set of ASCII characters.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: StaticString) {
    characters.withUTF8Buffer { for byte in $0 where byte < 128 { insert(byte) } }
  }

  private init(_ range: ClosedRange<UInt8>) { for byte in range where byte < 128 { insert(byte) } }

  static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
  static let hexadecimal = digits.union(ByteSet("abcdefABCDEF"))
  static let letters = ByteSet(UInt8(ascii: "a")...UInt8(ascii: "z")).union(ByteSet(UInt8(ascii: "A")...UInt8(ascii: "Z")))
  static let alphanumeric = letters.union(digits)
  /// The characters of quoted strings in mail addresses: printable ASCII and the space.
  static let printable = ByteSet(0x20...0x7E)

  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low & (1 << UInt64(byte)) != 0 : byte < 128 && high & (1 << UInt64(byte - 64)) != 0
  }

  func union(_ other: ByteSet) -> ByteSet {
    var result = self
    result.low |= other.low
    result.high |= other.high
    return result
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
  }
}

/// Dates and times according to RFC 3339, section 5.6: `2026-07-21`, `08:30:00Z`, `2026-07-21T08:30:00.5+02:00`.
///
/// The year 0000 and the offset `-00:00` are valid, as in the grammar. A second numbered 60 is valid at the end of a day in
/// UTC, and in a date-time only of a month's last day, because leap seconds are inserted only there.
enum InternetDate {
  static func isDate(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    return date(&cursor) != nil && cursor.isAtEnd
  }

  static func isTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    return time(&cursor) != nil && cursor.isAtEnd
  }

  /// Returns whether a string is a time of day without an offset. The seconds may be omitted, as browsers do.
  static func isLocalTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard let hour = cursor.number(digits: 2), cursor.skip(":"), let minute = cursor.number(digits: 2), hour < 24, minute < 60
    else { return false }
    guard cursor.skip(":") else { return cursor.isAtEnd }
    guard let second = cursor.number(digits: 2), second < 60 else { return false }
    if cursor.skip("."), cursor.prefix(of: .digits).isEmpty { return false }
    return cursor.isAtEnd
  }

  static func isDateTime(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard let date = date(&cursor), cursor.skip("T") || cursor.skip("t"), let time = time(&cursor), cursor.isAtEnd else {
      return false
    }
    return !time.isLeapSecond || date.isLastOfMonth(shiftedBy: time.dayShift)
  }

  private struct Day {
    let day: Int
    let daysInMonth: Int

    /// Whether the day, shifted by some days, is the last of a month.
    func isLastOfMonth(shiftedBy days: Int) -> Bool {
      switch days {
      case -1: day == 1
      case 1: day + 1 == daysInMonth
      default: day == daysInMonth
      }
    }
  }

  private struct Time {
    let isLeapSecond: Bool
    /// The difference in days between the date in UTC and the local date: -1, 0 or 1.
    let dayShift: Int
  }

  private static func date(_ cursor: inout ByteCursor) -> Day? {
    guard let year = cursor.number(digits: 4), cursor.skip("-"), let month = cursor.number(digits: 2), cursor.skip("-"),
      let day = cursor.number(digits: 2), (1...12).contains(month)
    else { return nil }
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return (1...days).contains(day) ? Day(day: day, daysInMonth: days) : nil
  }

  private static func time(_ cursor: inout ByteCursor) -> Time? {
    guard let hour = cursor.number(digits: 2), cursor.skip(":"), let minute = cursor.number(digits: 2), cursor.skip(":"),
      let second = cursor.number(digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    if cursor.skip("."), cursor.prefix(of: .digits).isEmpty { return nil }
    guard let offset = offset(&cursor) else { return nil }
    let minuteInUTC = hour * 60 + minute - offset
    let dayShift = minuteInUTC < 0 ? -1 : minuteInUTC >= 24 * 60 ? 1 : 0
    if second == 60, minuteInUTC - dayShift * 24 * 60 != 24 * 60 - 1 { return nil }
    return Time(isLeapSecond: second == 60, dayShift: dayShift)
  }

  /// Returns the offset from UTC in minutes.
  private static func offset(_ cursor: inout ByteCursor) -> Int? {
    if cursor.skip("Z") || cursor.skip("z") { return 0 }
    let sign = cursor.skip("+") ? 1 : cursor.skip("-") ? -1 : 0
    guard sign != 0, let hours = cursor.number(digits: 2), cursor.skip(":"), let minutes = cursor.number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
