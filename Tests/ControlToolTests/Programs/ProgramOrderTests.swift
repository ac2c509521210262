import Testing

@testable import ControlTool

@Suite("What a program is called", .timeLimit(.minutes(1)))
struct ProgramOrderTests {
  private func order(_ words: String...) -> ProgramOrder { ProgramOrder(program: words.map([CChar].init(argument:))) }

  @Test("A program is called by its command line, or by the title that it was given")
  func names() {
    var order = order("dpkg-reconfigure", "tzdata")
    #expect(order.heading == "dpkg-reconfigure tzdata")
    order.title = "Time zone"
    #expect(order.heading == "Time zone")
  }

  @Test("A command line that is a script becomes one short line without control characters")
  func scripts() {
    let heading = order("sh", "-c", "one\n\ttwo \u{1B}[31mthree\n\(String(repeating: "long ", count: 10_000))").heading
    #expect(heading.hasPrefix("sh -c one two ") && heading.hasSuffix("…") && heading.count == 80)
    #expect(!heading.unicodeScalars.contains { $0.value < 32 })
  }

  @Test("Bytes that are no UTF-8 can be shown")
  func bytes() {
    #expect(ProgramOrder(program: [[CChar(bitPattern: 0x61), CChar(bitPattern: 0xFF), 0]]).heading == "a\u{FFFD}")
  }
}
