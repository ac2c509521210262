import Testing

@Suite("The code in the documentation", .timeLimit(.minutes(5)))
struct CodeBlockTests {
  /// All sources that are compiled by `make check`.
  private let sources: [[Substring]]

  init() throws {
    sources = try Checkout.swiftSources(in: ["Sources", "Tests", "Examples"]).map(Checkout.lines)
  }

  private func blocks(of document: String, in language: String) throws -> [CodeBlock] {
    try CodeBlock.blocks(of: document, lines: Checkout.lines(of: document)).filter { $0.language == language }
  }

  @Test(
    "Every Swift block of a document is part of a compiled source",
    arguments: ["Docs/coming-from-ios.md", "Docs/writing-flows.md", "Docs/writing-providers.md", "Docs/writing-renderers.md"])
  func everySwiftBlockIsCompiled(document: String) throws {
    for block in try blocks(of: document, in: "swift") where !sources.contains(where: block.text.occurs) {
      Issue.record("This is in no source that is compiled:\n\(block)")
    }
  }

  @Test("The blocks of the tutorial and the compiled sources are found")
  func blocksAndSourcesAreFound() throws {
    #expect(try blocks(of: "Docs/writing-flows.md", in: "swift").count > 10)
    #expect(try blocks(of: "Docs/writing-flows.md", in: "sh").count > 3)
    #expect(sources.count > 100)
  }

  @Test("A block that differs from a source is detected, and its indentation does not matter")
  func differentBlockIsDetected() throws {
    let document: [Substring] = ["Text", "```swift", "func a() {", "  b()", "}", "```", "", "```sh", "ls", "```"]
    let blocks = CodeBlock.blocks(of: "a.md", lines: document)
    #expect(blocks.map(\.line) == [3, 9])
    #expect(blocks.map(\.language) == ["swift", "sh"])
    let block = try #require(blocks.first)
    #expect("\(block)" == "a.md:3:\nfunc a() {\n  b()\n}")
    #expect(block.text.occurs(in: ["struct A {", "  func a() {", "    b()", "  }", "}"]))
    #expect(!block.text.occurs(in: ["struct A {", "  func a() {", "    c()", "  }", "}"]))
    #expect(!block.text.occurs(in: ["func a() {", "    b()", "}"]))
    #expect(!block.text.occurs(in: ["func a() {", "  b()"]))
  }
}
