import Glibc
import Platform

/// A compiled terminal description, as far as it must be understood to add colors to it.
///
/// Source: term(5). Its numbers are little-endian.
struct TerminfoEntry: Sendable, Hashable {
  /// The extended part of an entry: capabilities with their own names.
  private struct Extension: Sendable, Hashable {
    var booleans: [UInt8] = []
    var numbers: [Int32] = []
    /// The offsets of the strings among the texts; negative for none.
    var strings: [Int16] = []
    /// The offsets of the names among the texts, counted from the first name: of the booleans, the numbers, and the strings.
    var names: [Int16] = []
    /// The number of texts.
    var count: UInt16 = 0
    /// The strings, followed by the names, each with a terminating zero.
    var texts: [UInt8] = []

    /// Adds a true boolean.
    mutating func add(_ name: String) {
      let ends = strings.filter { $0 >= 0 && $0 < texts.count }.map { start in
        (texts[Int(start)...].firstIndex(of: 0) ?? texts.count) + 1
      }
      // The names begin after the last string.
      names.insert(Int16(clamping: texts.count - (ends.max() ?? 0)), at: booleans.count)
      booleans.append(1)
      texts += Array(name.utf8) + [0]
      count += 1
    }
  }

  private static let magic: (short: UInt16, long: UInt16) = (0o432, 0o1036)
  /// The indices of capabilities.
  private static let (maxColours, setForeground, setBackground) = (13, 359, 360)

  private let names: [UInt8]
  private let booleans: [UInt8]
  private var numbers: [Int32]
  /// The offsets of the strings in the table; negative for none.
  private var strings: [Int16]
  private var table: [UInt8]
  private var more: Extension

  /// The number of colors.
  var colours: Int { numbers.indices.contains(Self.maxColours) ? Int(numbers[Self.maxColours]) : 0 }

  /// Decodes an entry; nil if it is malformed.
  init?(_ bytes: [UInt8]) {
    var input = TerminfoBytes(bytes)
    guard let magic = input.short(), let nameCount = input.count(), let booleanCount = input.count(),
      let numberCount = input.count(), let stringCount = input.count(), let tableSize = input.count(),
      magic == Self.magic.short || magic == Self.magic.long, let names = input.bytes(nameCount),
      let booleans = input.bytes(booleanCount)
    else { return nil }
    let isLong = magic == Self.magic.long
    input.align()
    guard let numbers = input.numbers(numberCount, areLong: isLong), let strings = input.shorts(stringCount),
      let table = input.bytes(tableSize)
    else { return nil }
    (self.names, self.booleans, self.numbers, self.strings, self.table) = (names, booleans, numbers, strings, table)
    more = Extension()
    input.align()
    guard !input.isAtEnd else { return }
    guard let booleanCount = input.count(), let numberCount = input.count(), let stringCount = input.count(),
      let count = input.count(), let size = input.count(), let booleans = input.bytes(booleanCount)
    else { return nil }
    input.align()
    guard let numbers = input.numbers(numberCount, areLong: isLong), let strings = input.shorts(stringCount),
      let names = input.shorts(booleanCount + numberCount + stringCount), let texts = input.bytes(size)
    else { return nil }
    more = Extension(
      booleans: booleans, numbers: numbers, strings: strings, names: names, count: UInt16(clamping: count), texts: texts)
  }

  /// Returns the same terminal with direct colors: the first eight are those of its palette, all others are red, green and blue
  /// in one number. All other capabilities, in particular the keys, are unchanged.
  var withDirectColours: TerminfoEntry? {
    guard colours >= 8, colours <= 256 else { return nil }
    var entry = self
    entry.numbers[Self.maxColours] = 0x100_0000
    entry.set(Self.setForeground, to: Self.setting(palette: 3, direct: 38))
    entry.set(Self.setBackground, to: Self.setting(palette: 4, direct: 48))
    entry.more.add("RGB")
    return entry.bytes.count <= Self.largest ? entry : nil
  }

  /// The maximum size of an entry that ncurses reads, in bytes.
  private static let largest = 32_768

  /// Returns the string that sets a color, in the language of terminfo(5).
  private static func setting(palette: Int, direct: Int) -> String {
    "\u{1B}[%?%p1%{8}%<%t\(palette)%p1%d%e\(direct);2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"
  }

  private mutating func set(_ number: Int, to text: String) {
    if strings.count <= number { strings += Array(repeating: -1, count: number + 1 - strings.count) }
    strings[number] = Int16(clamping: table.count)
    table += Array(text.utf8) + [0]
  }

  /// The encoded entry, with long numbers.
  var bytes: [UInt8] {
    var output = TerminfoOutput()
    output.add(shorts: [Int(Self.magic.long), names.count, booleans.count, numbers.count, strings.count, table.count])
    output.bytes += names + booleans
    output.align()
    output.add(longs: numbers)
    output.add(shorts: strings.map(Int.init))
    output.bytes += table
    output.align()
    output.add(
      shorts: [more.booleans.count, more.numbers.count, more.strings.count, Int(more.count), more.texts.count])
    output.bytes += more.booleans
    output.align()
    output.add(longs: more.numbers)
    output.add(shorts: (more.strings + more.names).map(Int.init))
    output.bytes += more.texts
    return output.bytes
  }
}

/// 24-bit colors for terminals that support them, but whose terminfo description declares 256 or fewer.
///
/// ncurses uses the colors in the terminfo description, and `COLORTERM` is not part of it. Therefore ncurses receives a copy of
/// the description with these colors, in the form `TERMINFO=hex:…` (terminfo(5)). If the description is unusual, or if ncurses
/// does not accept the copy, ncurses reads the system's description and draws the nearest of its colors.
public enum TrueColour {
  /// Provides the description to ncurses. Must be called before there are other threads, which might read the environment.
  ///
  /// - Parameter environment: environment of the process.
  public static func prepare(environment: [String: String]) {
    guard let description = description(environment: environment) else { return }
    setenv("TERMINFO", description, 1)
  }

  /// Returns the value of `TERMINFO`; nil if ncurses should read the system's description.
  static func description(environment: [String: String]) -> String? {
    guard TerminalAbilities(environment: environment, isUnicode: true).hasTrueColour, let name = environment["TERM"],
      let bytes = places(environment).lazy.compactMap({ read(name, in: $0) }).first,
      let entry = TerminfoEntry(bytes)?.withDirectColours
    else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    let hex = entry.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "hex:" + String(decoding: hex, as: UTF8.self)
  }

  /// Returns the directories in which ncurses searches descriptions, in its order.
  private static func places(_ environment: [String: String]) -> [String] {
    let system = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    let listed = environment["TERMINFO_DIRS"]?.bytes.split(separator: ":", omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? system : [String($0)] }
    return [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }].compactMap(\.self) + (listed ?? []) + system
  }

  /// The maximum size of a file that is read, in bytes.
  private static let largest = 32_768

  private static func read(_ name: String, in directory: String) -> [UInt8]? {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")), directory.bytes.hasPrefix("/") else { return nil }
    // The second form is for file systems that ignore case.
    for folder in [String(decoding: [first], as: UTF8.self), String(first, radix: 16)] {
      let file = open("\(directory)/\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: largest)
      let count = Glibc.read(file, &bytes, bytes.count)
      return count > 0 && count < largest ? Array(bytes[..<count]) : nil
    }
    return nil
  }
}

/// Reads the parts of a compiled terminal description, one after the other.
struct TerminfoBytes {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { all = bytes }

  var isAtEnd: Bool { place >= all.count }

  /// Skips a byte if the next part begins at an odd offset.
  mutating func align() { place += place % 2 }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard place <= all.count, all.count - place >= count else { return nil }
    defer { place += count }
    return Array(all[place..<place + count])
  }

  mutating func short() -> UInt16? { bytes(2).map { UInt16($0[0]) | UInt16($0[1]) << 8 } }

  /// Reads a number that is not negative.
  mutating func count() -> Int? { short().flatMap { $0 <= Int16.max ? Int($0) : nil } }

  mutating func shorts(_ count: Int) -> [Int16]? {
    guard let bytes = bytes(2 * count) else { return nil }
    return (0..<count).map { Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8) }
  }

  mutating func numbers(_ count: Int, areLong: Bool) -> [Int32]? {
    guard areLong else { return shorts(count)?.map(Int32.init) }
    guard let bytes = bytes(4 * count) else { return nil }
    return (0..<count).map { index in
      Int32(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << (8 * UInt32($1)) })
    }
  }
}

/// Writes the parts of a compiled terminal description.
struct TerminfoOutput {
  var bytes: [UInt8] = []

  /// Adds a zero if the next part would begin at an odd offset.
  mutating func align() { if bytes.count % 2 != 0 { bytes.append(0) } }

  mutating func add(shorts: [Int]) {
    for short in shorts {
      let bits = UInt16(bitPattern: Int16(clamping: short))
      bytes += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
  }

  mutating func add(longs: [Int32]) {
    for long in longs {
      let bits = UInt32(bitPattern: long)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
  }
}
