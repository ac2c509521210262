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
