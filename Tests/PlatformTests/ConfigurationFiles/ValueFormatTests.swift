import Testing

@testable import ConfigurationFiles

@Suite("Formats of configuration values", .timeLimit(.minutes(5)))
struct ValueFormatTests {
  @Test(
    "Time spans follow systemd.time(7), and a written span reads back as the same duration",
    arguments: [
      ("30", 30, "30s"), ("5min", 300, "5min"), ("1h 30min", 5_400, "1h 30min"), ("1hour30m", 5_400, "1h 30min"),
      ("2 days", 172_800, "2d"), ("1w", 604_800, "7d"), ("90 s", 90, "1min 30s"), (" 1d ", 86_400, "1d"),
      ("1500ms 500ms", 2, "2s"),
    ])
  func timeSpansFollowSystemd(text: String, seconds: Int, written: String) {
    #expect(TimeSpan.read(text) == .seconds(seconds))
    #expect(TimeSpan.write(.seconds(seconds)) == written)
    #expect(TimeSpan.read(written) == .seconds(seconds))
  }

  @Test(
    "A time span is written with all units that it needs, and as 0 if it has none",
    arguments: [
      (.zero, "0"), (.seconds(-1), "0"), (.nanoseconds(999), "0"), (.milliseconds(1_500), "1s 500ms"),
      (.microseconds(86_400_000_001), "1d 1us"), (.microseconds(90_061_001_001), "1d 1h 1min 1s 1ms 1us"),
    ] as [(Duration, String)])
  func timeSpanIsWrittenWithAllItsUnits(time: Duration, written: String) { #expect(TimeSpan.write(time) == written) }

  @Test(
    "A string that is not a time span is rejected",
    arguments: ["", " ", "min", "5 parsecs", "-1", "1.5h", "5min!", "99999999999999999999", "9999999999999w", "٣s"])
  func invalidTimeSpanIsRejected(text: String) { #expect(TimeSpan.read(text) == nil) }

  @Test(
    "Size suffixes stand for powers of 1024",
    arguments: [("0", 0), ("1", 1), ("1000", 1_000), ("64K", 65_536), ("16M", 16 << 20), ("3G", 3 << 30)] as [(String, UInt32)])
  func sizesUsePowersOf1024(text: String, bytes: UInt32) {
    #expect(ByteCount.read(text) == bytes)
    #expect(ByteCount.write(bytes) == text)
  }

  @Test(
    "A string that is not a size is rejected",
    arguments: ["", "K", "4G", "-1", "1.5M", "1 M", "1k", "1MB", "99999999999", "64\u{212A}", "64K\u{301}"])
  func invalidSizeIsRejected(text: String) { #expect(ByteCount.read(text) == nil) }

  @Test("An optional time can be turned off with each of several words", arguments: ["off", "no", "never", "infinity", "0"])
  func optionalTimeCanBeTurnedOff(text: String) {
    let format = ValueFormat<Duration?>.timeOrOff(from: .seconds(1))
    #expect(format.read(text) == .some(nil))
    #expect(format.read("2s") == .some(.seconds(2)))
    #expect(format.read("1ms") == nil && format.read("on") == nil)
  }

  @Test("Booleans accept the same words as systemd")
  func booleansAcceptSystemdWords() {
    let format = ValueFormat<Bool>.boolean
    #expect(["1", "yes", "Y", "True", "t", "on"].allSatisfy { format.read($0) == true })
    #expect(["0", "no", "n", "FALSE", "f", "off"].allSatisfy { format.read($0) == false })
    #expect(format.read("maybe") == nil && format.read("") == nil)
  }

  @Test("A key has an environment variable and a row in the table for other programs")
  func keyHasVariableAndTableRow() {
    #expect(Keys.maxFlows.entry.variable(prefix: "D") == "D_MAX_FLOWS")
    #expect(ConfigurationSource.prefix(of: "coffee-daemon2") == "COFFEE_DAEMON2")
    let lines = KeyEntry.table(of: Keys.all, prefix: "D").split(separator: "\n")
    #expect(lines.count == Keys.all.count + 1)
    #expect(
      lines.dropFirst(2).first
        == "Limits\tMaxFlows\t--max-flows\tD_MAX_FLOWS\t20000\ta whole number from 1 to 4294967295\trestart\tHow many.")
  }
}
