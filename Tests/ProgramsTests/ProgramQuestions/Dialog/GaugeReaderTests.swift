import Testing
@testable import ProgramQuestions

@Suite(.timeLimit(.minutes(1))) struct GaugeReaderTests {
  private static let dialects: [GaugeDialect] = [.whiptail, .dialog(flags: [])]

  @Test(arguments: dialects) func `Lines are percentages, and blocks have a text`(_ dialect: GaugeDialect) {
    var reader = GaugeReader(dialect, from: GaugeProgress(percent: 0))
    let changes1 = reader.read("10\n".utf8)
    #expect(changes1)
    #expect(reader.progress == GaugeProgress(percent: 10))
    let changes2 = reader.read("XXX\n50\nCopying\\n".utf8)
    #expect(!changes2)
    let changes3 = reader.read("files\nXXX\n".utf8)
    #expect(changes3)
    #expect(reader.progress == GaugeProgress(percent: 50, text: "Copying\nfiles"))
    let changes4 = reader.read("100\n".utf8)
    #expect(changes4)
    #expect(reader.progress == GaugeProgress(percent: 100, text: "Copying\nfiles"))
  }

  @Test(arguments: dialects) func `It does not matter how the bytes are cut`(_ dialect: GaugeDialect) {
    let input = Array("5\nXXX\n30\nOne\nTwo\nXXX\n40\nnonsense\n60\nXXX\n99\nXXX\n".utf8)
    var whole = GaugeReader(dialect, from: GaugeProgress(percent: 0))
    _ = whole.read(input)
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...(.max), using: &generator)
    var random = Seeded(state: seed)
    for _ in 0..<100 {
      var reader = GaugeReader(dialect, from: GaugeProgress(percent: 0))
      var rest = input[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(rest.count, 7), using: &random)
        _ = reader.read(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(reader.progress == whole.progress, "seed \(seed)")
    }
  }

  @Test func `A block of dialog may have no percentage`() {
    var reader = GaugeReader(.dialog(flags: []), from: GaugeProgress(percent: 20))
    _ = reader.read("XXX\nStill busy\nXXX\n".utf8)
    #expect(reader.progress == GaugeProgress(percent: 20, text: "Still busy"))
  }

  @Test func `Numbers are limited, and so is what is kept of an endless line`() {
    var reader = GaugeReader(.whiptail, from: GaugeProgress(percent: 0))
    _ = reader.read("250\n".utf8)
    #expect(reader.progress.percent == 100)
    _ = reader.read("-7\n".utf8)
    #expect(reader.progress.percent == 0)
    _ = reader.read(repeatElement(UInt8(ascii: "9"), count: 1_000_000))
    _ = reader.read("\nXXX\n1\n".utf8)
    for _ in 0..<1_000 { _ = reader.read(Array(repeating: UInt8(ascii: "a"), count: 100) + [0x0a]) }
    _ = reader.read("XXX\n".utf8)
    #expect((reader.progress.text?.bytes.count ?? 0) <= 16_384)
  }
}

/// A generator with a seed.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
