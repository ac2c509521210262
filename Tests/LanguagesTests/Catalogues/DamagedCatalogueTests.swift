import Glibc
import Languages
import TestBus
import Testing

@Suite("Damaged catalogues", .timeLimit(.minutes(1)))
struct DamagedCatalogueTests {
  let whole = CatalogueWriter(
    header: MessageCatalogueTests.header, ["Log in": "Войти", "verb\u{4}Open": "Открыть", "day\0days": "день\0дня\0дней"])

  @Test("A catalogue that ends early is refused, wherever it ends", arguments: [false, true])
  func truncatedCatalogueIsRefused(isBigEndian: Bool) {
    var writer = whole
    writer.isBigEndian = isBigEndian
    for length in 0..<writer.bytes.count {
      #expect(throws: MessageCatalogueError.self, "\(length) bytes") {
        try MessageCatalogue(bytes: Array(writer.bytes.prefix(length)))
      }
    }
  }

  @Test(
    "A number at the limits, in any place, traps nothing", arguments: [0, 1, 27, 28, 0x7FFF_FFFF, 0x8000_0000, .max] as [UInt32])
  func extremeNumbersAreHarmless(number: UInt32) {
    let bytes = whole.bytes
    for place in 4..<28 + 16 * whole.messages.count {
      var damaged = bytes
      for byte in 0..<4 { damaged[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(byte))) }
      use(damaged)
    }
  }

  @Test("Random damage traps nothing", arguments: [1, 2, 3, 4] as [UInt64])
  func randomDamageIsHarmless(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      var bytes = whole.bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        case 1: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(.random(in: .min ... .max, using: &random), at: Int.random(in: 0...bytes.count, using: &random))
        default: if bytes.count > 1 { bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random)) }
        }
      }
      use(bytes)
    }
  }

  @Test("Random bytes after the magic number trap nothing", arguments: [1, 2, 3, 4] as [UInt64])
  func randomBytesAreHarmless(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let magic: [UInt8] = Bool.random(using: &random) ? [0xDE, 0x12, 0x04, 0x95] : [0x95, 0x04, 0x12, 0xDE]
      // Mostly small numbers, which are more often accepted.
      let numbers = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        Int.random(in: 0..<3, using: &random) > 0 ? 0 : UInt8.random(in: 0..<64, using: &random)
      }
      use(magic + numbers)
    }
  }

  @Test("A small file whose strings overlap does not take much memory")
  func overlappingStringsAreRefused() {
    // 200 messages, each of which is the whole of the same megabyte.
    let (count, length): (UInt32, UInt32) = (200, 1 << 20)
    var numbers: [UInt32] = [0x9504_12DE, 0, count, 28, 28, 0, 0]
    for _ in 0..<count { numbers += [length, 28 + count * 8] }
    var bytes = numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    bytes += [UInt8](repeating: UInt8(ascii: "A"), count: Int(length)) + [0]
    let error = #expect(throws: MessageCatalogueError.self) { try MessageCatalogue(bytes: bytes) }
    #expect(error?.reason == .tooLarge)
  }

  @Test("A file that is too large, missing, or not regular is refused, with its name in the error")
  func otherFilesAreRefused() throws {
    let directory = try TemporaryDirectory()
    func reason(_ name: String) -> MessageCatalogueError.Reason? {
      let error = #expect(throws: MessageCatalogueError.self) { try MessageCatalogue(file: "\(directory.path)/\(name)") }
      #expect(error?.file == "\(directory.path)/\(name)")
      return error?.reason
    }
    #expect(reason("missing") == .unreadable("No such file or directory"))
    #expect(reason(".") == .notRegular)
    #expect(mkfifo("\(directory.path)/pipe", 0o600) == 0)
    #expect(reason("pipe") == .notRegular)
    try directory.write([], to: "large")
    #expect(truncate("\(directory.path)/large", MessageCatalogue.maximumSize + 1) == 0)
    #expect(reason("large") == .tooLarge)
    #expect(truncate("\(directory.path)/large", MessageCatalogue.maximumSize) == 0)
    #expect(reason("large") == .notCatalogue)
  }

  /// Reads a catalogue that may be damaged; if it can be read, looks texts up.
  private func use(_ bytes: [UInt8]) {
    guard let catalogue = try? MessageCatalogue(bytes: bytes) else { return }
    for count in [0, 1, 2, 5, .min] { _ = catalogue.translation(of: "day", count: count) }
    _ = catalogue.translation(of: "Open", context: "verb")
    _ = catalogue.count
  }
}
