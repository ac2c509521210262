import Platform

/// The format of a key's values.
public struct ValueFormat<Value: Sendable>: Sendable {
  /// A description of the accepted values that completes the sentence "expected …".
  public let expected: String
  let name: String
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - expected: a description of the accepted values that completes the sentence "expected …".
  ///   - name: the placeholder for a value in an option's help.
  ///   - read: a closure that parses a value; it returns nil for an invalid string.
  ///   - write: a closure that formats a value such that `read` parses it; an empty string means no value.
  public init(
    expected: String, name: String, read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
  ) {
    self.expected = expected
    self.name = name
    self.read = read
    self.write = write
  }
}

extension ValueFormat {
  /// Returns the value that a string stands for; nil if it is invalid.
  package func value(of text: String) -> Value? { read(text) }

  /// Returns a value as it is written in a file.
  package func text(_ value: Value) -> String { write(value) }
}

extension ValueFormat where Value == UInt32 {
  /// A whole number from `least` to `UInt32.max`.
  public static func count(from least: UInt32 = 0) -> ValueFormat {
    ValueFormat(
      expected: "a whole number from \(least) to \(UInt32.max)", name: "number",
      read: { text in UInt32(text).flatMap { $0 < least ? nil : $0 } },
      write: { String($0) })
  }

  /// A number of bytes below 4 GiB, with an optional suffix K, M or G for powers of 1024.
  public static var bytes: ValueFormat {
    ValueFormat(
      expected: "a number of bytes below 4G, such as 65536, 64K or 16M", name: "bytes", read: ByteCount.read,
      write: ByteCount.write)
  }
}

extension ValueFormat where Value == [String] {
  /// One or more words, separated by spaces.
  ///
  /// - Parameters:
  ///   - expected: a description of the words that completes the sentence "expected …".
  ///   - name: the placeholder for a value.
  /// - Returns: the format.
  public static func words(_ expected: String, name: String) -> ValueFormat {
    ValueFormat(
      expected: expected, name: name, read: { $0.bytes.words.map(String.init) },
      // Most defaults are empty, and `joined()` looks up types even for these.
      write: { $0.isEmpty ? "" : $0.joined(separator: " ") })
  }
}

extension ValueFormat where Value == Bool {
  /// A Boolean, in the words that systemd accepts.
  public static var boolean: ValueFormat {
    ValueFormat(
      expected: "yes or no", name: "answer",
      read: { text in
        switch text.bytes.lowercased {
        case "1", "yes", "y", "true", "t", "on": true
        case "0", "no", "n", "false", "f", "off": false
        default: nil
        }
      }, write: { $0 ? "yes" : "no" })
  }
}

extension ValueFormat where Value == Duration {
  /// A time span of at least `least`, in the syntax of systemd.time(7).
  public static func time(from least: Duration) -> ValueFormat {
    ValueFormat(
      expected: "a time of at least \(TimeSpan.write(least)), such as 30, 30s or 5min", name: "time",
      read: { text in TimeSpan.read(text).flatMap { $0 < least ? nil : $0 } }, write: TimeSpan.write)
  }
}

extension ValueFormat where Value == Duration? {
  /// A time span of at least `least`, in the syntax of systemd.time(7), or `off`, which is nil.
  public static func timeOrOff(from least: Duration) -> ValueFormat {
    let time = ValueFormat<Duration>.time(from: least)
    return ValueFormat(
      expected: time.expected + ", or off", name: time.name,
      read: { text in
        ["off", "no", "never", "infinity", "0"].contains(text.bytes.lowercased) ? .some(nil) : time.read(text).map(Optional.some)
      }, write: { $0.map(TimeSpan.write) ?? "off" })
  }
}

extension ValueFormat where Value == String? {
  /// An arbitrary string.
  ///
  /// - Parameters:
  ///   - expected: a description of the string that completes the sentence "expected …".
  ///   - name: the placeholder for a value in an option's help.
  /// - Returns: the format.
  public static func text(_ expected: String, name: String) -> ValueFormat {
    ValueFormat(expected: expected, name: name, read: { .some($0) }, write: { $0 ?? "" })
  }

  /// An absolute path.
  public static var absolutePath: ValueFormat {
    ValueFormat(
      expected: "a path that begins with /", name: "path", read: { $0.bytes.hasPrefix("/") ? .some($0) : nil },
      write: { $0 ?? "" })
  }
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable, Value.AllCases == [Value] {
  /// One of the raw values of an enumeration.
  public static var choice: ValueFormat {
    // Each time a daemon starts, `joined()` would make the runtime search all conformances; a collection of cases whose type is
    // not known here would do the same.
    var words = ""
    for value in Value.allCases { words += (words.isEmpty ? "" : ", ") + value.rawValue }
    return ValueFormat(
      expected: "one of \(words)", name: "word", read: { Value(rawValue: $0) }, write: { $0.rawValue })
  }
}

/// Byte counts as users write them: `65536`, `64K`, `16M`, `1G`, with powers of 1024.
enum ByteCount {
  private static let units: [(letter: String, shift: UInt32)] = [("G", 30), ("M", 20), ("K", 10)]

  static func read(_ text: String) -> UInt32? {
    for unit in units {
      guard let digits = text.bytes.dropping(suffix: unit.letter) else { continue }
      guard let count = UInt32(digits) else { return nil }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << unit.shift)
      return overflow ? nil : bytes
    }
    return UInt32(text)
  }

  static func write(_ bytes: UInt32) -> String {
    guard bytes > 0, let unit = units.first(where: { bytes.isMultiple(of: 1 << $0.shift) }) else { return String(bytes) }
    return "\(bytes >> unit.shift)\(unit.letter)"
  }
}

/// Time spans in the syntax of systemd.time(7): `30` (seconds), `5min`, `1h 30min`.
enum TimeSpan {
  private static let units: [(names: [String], microseconds: Int64)] = [
    (["w", "week", "weeks"], 604_800_000_000),
    (["d", "day", "days"], 86_400_000_000),
    (["h", "hr", "hour", "hours"], 3_600_000_000),
    (["min", "m", "minute", "minutes"], 60_000_000),
    (["s", "sec", "second", "seconds"], 1_000_000),
    (["ms", "msec"], 1_000),
    (["us", "usec", "µs"], 1),
  ]

  /// Parses a sequence of whole numbers with units; a number without a unit is in seconds. Returns nil if the string is
  /// not a time span.
  static func read(_ text: String) -> Duration? {
    let blank = UInt8(ascii: " ")
    var rest = text[...].utf8.drop { $0 == blank }
    guard !rest.isEmpty else { return nil }
    var sum: Int64 = 0
    while !rest.isEmpty {
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest[digits.endIndex...].drop { $0 == blank }
      let name = rest.prefix { $0 != blank && !$0.isASCIIDigit }
      rest = rest[name.endIndex...].drop { $0 == blank }
      guard let number = Int64(Substring(digits)), let unit = microseconds(of: name.isEmpty ? "s" : Substring(name)) else {
        return nil
      }
      let (product, isTooMuch) = number.multipliedReportingOverflow(by: unit)
      let (next, isTooLong) = sum.addingReportingOverflow(product)
      guard !isTooMuch, !isTooLong else { return nil }
      sum = next
    }
    return .microseconds(sum)
  }

  private static func microseconds(of name: Substring) -> Int64? {
    units.first { $0.names.contains(String(name)) }?.microseconds
  }

  /// Formats a time span with the largest units that fit, except weeks.
  static func write(_ time: Duration) -> String {
    var left = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    // `joined()` would make the runtime look up types each time a daemon starts.
    var text = ""
    for unit in units.dropFirst() where left >= unit.microseconds {
      text += "\(text.isEmpty ? "" : " ")\(left / unit.microseconds)\(unit.names.first ?? "")"
      left %= unit.microseconds
    }
    return text.isEmpty ? "0" : text
  }
}
