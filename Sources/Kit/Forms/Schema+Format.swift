extension Schema {
  /// The format of a string. Every format but ``password`` is checked, in time linear in the length of the string.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// An e-mail address in ASCII, according to RFC 5321.
    case email
    /// A password, which renderers do not show while it is typed. Not checked.
    case password
    /// A date according to RFC 3339, such as `2026-07-21`.
    case date
    /// A time of day with its offset from UTC, according to RFC 3339, such as `08:30:00Z`.
    case time
    /// A date and time with its offset from UTC, according to RFC 3339, such as `2026-07-21T08:30:00+02:00`.
    case dateTime = "date-time"
    /// An absolute URI according to RFC 3986, with or without a fragment.
    case uri
    /// A host name in ASCII, according to RFC 1123.
    case hostname
    /// An IPv4 address such as `192.0.2.1`.
    case ipv4
    /// An IPv6 address according to RFC 4291, without a zone.
    case ipv6
    /// A UUID according to RFC 4122.
    case uuid
    /// A time of day without an offset from UTC, such as `08:30` or `08:30:00`. A name of the OpenAPI Format Registry.
    case localTime = "time-local"
    /// A duration according to ISO 8601, with the grammar of RFC 3339, such as `P1DT12H`.
    case duration
    /// An IPv4 or IPv6 address. Not a format of JSON Schema.
    case internetAddress = "ip"
    /// A telephone number as people write it, such as `+49 30 123456`. A format of early drafts of JSON Schema.
    case telephone = "phone"
    /// The absolute path of a file, such as `/etc/hosts`. Not a format of JSON Schema.
    case filePath = "file-path"

    /// Returns whether a string has the format.
    public func matches(_ text: String) -> Bool {
      switch self {
      case .email: EmailAddress.isValid(text)
      case .password: true
      case .date: InternetDate.isDate(text)
      case .time: InternetDate.isTime(text)
      case .dateTime: InternetDate.isDateTime(text)
      case .uri: ResourceIdentifier.isValid(text)
      case .hostname: HostName.isValid(Array(text.utf8)[...])
      case .ipv4: InternetAddress.isVersion4(Array(text.utf8)[...])
      case .ipv6: InternetAddress.isVersion6(Array(text.utf8)[...])
      case .uuid: UniqueIdentifier.isValid(text)
      case .localTime: InternetDate.isLocalTime(text)
      case .duration: CalendarDuration.isValid(text)
      case .internetAddress: Format.ipv4.matches(text) || Format.ipv6.matches(text)
      case .telephone: TelephoneNumber.isValid(text)
      case .filePath: FilePath.isValid(text)
      }
    }

    /// A string in this format, for hints and tests; nil for ``password``, which may be any string.
    public var example: String? {
      switch self {
      case .email: "user@example.org"
      case .password: nil
      case .date: "2026-07-21"
      case .time: "08:30:00Z"
      case .dateTime: "2026-07-21T08:30:00Z"
      case .uri: "https://example.org/"
      case .hostname: "host.example.org"
      case .ipv4: "192.0.2.1"
      case .ipv6: "2001:db8::1"
      case .uuid: "2eb8aa08-aa98-11ea-b4aa-73b441d16380"
      case .localTime: "08:30"
      case .duration: "P1DT12H"
      case .internetAddress: "192.0.2.1"
      case .telephone: "+49 30 123456"
      case .filePath: "/etc/hosts"
      }
    }

    /// The maximum length of a string in this format, in code points; nil if there is none.
    var maximumLength: Int? {
      switch self {
      case .email: 64 + 1 + 253
      case .date: 10
      case .hostname: 253
      case .ipv4: 15
      case .ipv6: 45
      case .uuid: 36
      case .telephone: TelephoneNumber.maximumLength
      case .filePath: FilePath.maximumLength
      case .internetAddress: 45
      case .password, .time, .localTime, .dateTime, .duration, .uri: nil
      }
    }

    /// The reason why a string without the format is refused, to be shown after the field's title.
    package var refusal: Text {
      switch self {
      case .email: "is not an e-mail address"
      case .password: "is not a password"
      case .date: "is not a date such as 2026-07-21"
      case .time: "is not a time with its offset from UTC, such as 08:30:00Z"
      case .dateTime: "is not a date and time with its offset from UTC, such as 2026-07-21T08:30:00Z"
      case .uri: "is not a complete address such as https://example.org/"
      case .hostname: "is not a host name such as host.example.org"
      case .ipv4: "is not an IPv4 address such as 192.0.2.1"
      case .ipv6: "is not an IPv6 address such as 2001:db8::1"
      case .uuid: "is not a UUID such as 2eb8aa08-aa98-11ea-b4aa-73b441d16380"
      case .localTime: "is not a time of day such as 08:30"
      case .duration: "is not a duration such as P1DT12H (a day and 12 hours) or PT90M (90 minutes)"
      case .internetAddress: "is not an IP address such as 192.0.2.1 or 2001:db8::1"
      case .telephone: "is not a telephone number such as +49 30 123456"
      case .filePath: "is not a full path such as /etc/hosts"
      }
    }
  }
}

/// UUIDs according to RFC 4122, section 3, in either case and of any version.
enum UniqueIdentifier {
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    for (index, count) in [8, 4, 4, 4, 12].enumerated() {
      if index > 0, !cursor.skip("-") { return false }
      for _ in 0..<count where cursor.next(of: .hexadecimal) == nil { return false }
    }
    return cursor.isAtEnd
  }
}

/// Absolute paths of files on Linux, without control characters.
enum FilePath {
  /// The maximum length in bytes: PATH_MAX, without the NUL.
  static let maximumLength = 4095
  /// The maximum length of a component in bytes: NAME_MAX.
  private static let maximumComponent = 255

  /// Returns whether a string begins with a slash and could be opened as the name of a file. The file need not exist,
  /// and the path may contain `..`.
  static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= maximumLength else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && bytes.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= maximumComponent }
  }
}

/// Durations according to ISO 8601 with the grammar of RFC 3339, appendix A: `P1Y2M3D`, `P1DT12H`, `PT90M`, `P2W`.
///
/// No unit is omitted between two others, numbers have no fraction, and weeks stand alone.
enum CalendarDuration {
  /// Returns whether a string is a duration, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.skip("P") else { return false }
    if cursor.peek == UInt8(ascii: "T") { return time(&cursor) && cursor.isAtEnd }
    guard skipNumber(&cursor) else { return false }
    if cursor.skip("W") { return cursor.isAtEnd }
    guard skipUnits(["Y", "M", "D"], &cursor) else { return false }
    return cursor.isAtEnd || (time(&cursor) && cursor.isAtEnd)
  }

  private static func time(_ cursor: inout ByteCursor) -> Bool {
    cursor.skip("T") && skipNumber(&cursor) && skipUnits(["H", "M", "S"], &cursor)
  }

  private static func skipNumber(_ cursor: inout ByteCursor) -> Bool { !cursor.prefix(of: .digits).isEmpty }

  /// Removes the unit of the number before the cursor, and then numbers with the units that follow it without a gap.
  private static func skipUnits(_ units: [Unicode.Scalar], _ cursor: inout ByteCursor) -> Bool {
    guard let first = units.firstIndex(where: { cursor.peek == UInt8(ascii: $0) }) else { return false }
    cursor.skipOne()
    for unit in units[(first + 1)...] {
      guard skipNumber(&cursor) else { return true }
      guard cursor.skip(unit) else { return false }
    }
    return true
  }
}

/// Telephone numbers as people write them: `112`, `+49 30 123456`, `(030) 123-456`.
enum TelephoneNumber {
  /// The maximum length, in code points, with separators.
  static let maximumLength = 40

  private static let separators = ByteSet(" -./")

  /// Returns whether a string has 3 to 15 digits (E.164) and otherwise only separators, one plus sign at the beginning,
  /// and pairs of parentheses that contain digits.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    var cursor = ByteCursor(text)
    var digits = 0
    var opened: Int?
    _ = cursor.skip("+")
    // A separator is neither the first nor the last character.
    var isComplete = false
    while let byte = cursor.peek {
      cursor.skipOne()
      if ByteSet.digits.contains(byte) {
        digits += 1
        isComplete = true
      } else if byte == UInt8(ascii: "("), opened == nil {
        opened = digits
        isComplete = false
      } else if byte == UInt8(ascii: ")"), let before = opened, digits > before {
        opened = nil
        isComplete = true
      } else if digits > 0, separators.contains(byte) {
        isComplete = false
      } else {
        return false
      }
    }
    return isComplete && opened == nil && (3...15).contains(digits)
  }
}

/// Absolute URIs according to RFC 3986, with or without a fragment: `https://example.org/a?b#c`, `mailto:a@example.org`.
enum ResourceIdentifier {
  private static let unreserved = ByteSet.alphanumeric.union(ByteSet("-._~"))
  private static let name = unreserved.union(ByteSet("!$&'()*+,;="))
  private static let userInformation = name.union(ByteSet(":"))
  private static let path = userInformation.union(ByteSet("@/"))
  private static let query = path.union(ByteSet("?"))
  private static let scheme = ByteSet.alphanumeric.union(ByteSet("+-."))

  /// Returns whether a string is a URI, in time linear in its length.
  static func isValid(_ text: String) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.next(of: .letters) != nil else { return false }
    _ = cursor.prefix(of: scheme)
    guard cursor.skip(":") else { return false }
    if cursor.rest.starts(with: "//".utf8) {
      _ = cursor.skip("/")
      _ = cursor.skip("/")
      let end = cursor.rest.firstIndex { ByteSet("/?#").contains($0) } ?? cursor.rest.endIndex
      guard isAuthority(cursor.rest[..<end]) else { return false }
      cursor = ByteCursor(cursor.rest[end...])
    }
    // After an authority, the path is empty or begins with a slash, because the authority ends there. Without one, it
    // does not begin with two slashes, because they would begin an authority.
    guard skip(path, &cursor) else { return false }
    if cursor.skip("?"), !skip(query, &cursor) { return false }
    if cursor.skip("#"), !skip(query, &cursor) { return false }
    return cursor.isAtEnd
  }

  private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
    var host = text
    if let at = text.firstIndex(of: UInt8(ascii: "@")) {
      guard consists(text[..<at], of: userInformation) else { return false }
      host = text[(at + 1)...]
    }
    // A colon in brackets belongs to an address; any other begins the port.
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].firstIndex(of: UInt8(ascii: "]")) == nil {
      guard host[(colon + 1)...].allSatisfy(ByteSet.digits.contains) else { return false }
      host = host[..<colon]
    }
    guard host.first == UInt8(ascii: "[") else { return consists(host, of: name) }
    guard host.last == UInt8(ascii: "]") else { return false }
    let literal = host.dropFirst().dropLast()
    return InternetAddress.isVersion6(literal) || isFutureAddress(literal)
  }

  /// Returns whether the bytes are an `IPvFuture`: `v1.fe80`.
  private static func isFutureAddress(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    guard cursor.skip("v") || cursor.skip("V"), !cursor.prefix(of: .hexadecimal).isEmpty, cursor.skip(".") else { return false }
    return !cursor.prefix(of: userInformation).isEmpty && cursor.isAtEnd
  }

  private static func consists(_ text: ArraySlice<UInt8>, of characters: ByteSet) -> Bool {
    var cursor = ByteCursor(text)
    return skip(characters, &cursor) && cursor.isAtEnd
  }

  /// Removes the longest prefix of the given characters and percent-encoded bytes.
  ///
  /// - Returns: false if a percent sign is not followed by two hexadecimal digits.
  private static func skip(_ characters: ByteSet, _ cursor: inout ByteCursor) -> Bool {
    while true {
      _ = cursor.prefix(of: characters)
      guard cursor.skip("%") else { return true }
      guard cursor.next(of: .hexadecimal) != nil, cursor.next(of: .hexadecimal) != nil else { return false }
    }
  }
}
