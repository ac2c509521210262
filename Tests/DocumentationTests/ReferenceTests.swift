import Testing

@Suite("The reference of the modules", .timeLimit(.minutes(5)))
struct ReferenceTests {
  @Test(
    "Each public type of a module is under one topic of its reference, and each topic names a type",
    arguments: [
      ("Kit", "Languages"), ("Kit", "Forms"), ("Kit", "CoordinatorKit"), ("Kit", "CoordinatorTestKit"),
      ("Platform", "ConfigurationFiles"), ("Daemon", "DaemonCommandLine"), ("Provider", "CoordinatorProvider"),
    ])
  func typesAreUnderTopics(part: String, module: String) throws {
    let catalogue = try Checkout.lines(of: "Sources/\(part)/\(module)/\(module).docc/\(module).md")
    let topics = catalogue.compactMap { $0.wholeMatch(of: /- ``([A-Za-z]+)``/)?.output.1 }.map(String.init)
    var types: Set<String> = []
    for source in try Checkout.swiftSources(in: ["Sources/\(part)/\(module)"]) {
      for line in try Checkout.lines(of: source) {
        let declaration = /public (?:final |indirect )?(?:struct|enum|actor|class|protocol|typealias) ([A-Za-z]+)/
        if let match = line.prefixMatch(of: declaration) { types.insert(String(match.output.1)) }
      }
    }
    #expect(types.count > 2)
    #expect(types.subtracting(topics).isEmpty)
    #expect(Set(topics).subtracting(types).isEmpty)
    #expect(topics.count == Set(topics).count)
  }
}
