import Testing

@Suite("The README of the first boot", .timeLimit(.minutes(5)))
struct FirstBootReadmeTests {
  private static let sources = "Examples/first-boot/Sources/first-boot-daemon"

  /// Returns the lines of the sources below a directory that are neither blank nor comments.
  private func code(in directory: String) throws -> [String] {
    try Checkout.swiftSources(in: [directory]).flatMap(Checkout.lines).map { String($0.drop { $0 == " " }) }.filter {
      !$0.isEmpty && !$0.hasPrefix("//")
    }
  }

  @Test("The README says how many lines are about the flow, the machine, the system, and neither")
  func linesAreCounted() throws {
    let parts = try ["Flow", "Machine", "System"].map { try code(in: "\(Self.sources)/\($0)") }
    let contexts = parts[0].count { $0 == "let context = Context()" }
    let rest = try code(in: Self.sources).count - parts.map(\.count).reduce(0, +) + contexts
    let counted = [parts[0].count - contexts, parts[1].count, parts[2].count, rest]
    let told = try Checkout.lines(of: "Examples/first-boot/README.md").compactMap {
      $0.wholeMatch(of: /\|.*\| ([0-9]+) \|/)?.output.1
    }
    #expect(told == counted.map { "\($0)" })
    #expect(rest * 20 < counted.reduce(0, +), "more than a twentieth is not about the flow")
  }

  @Test("The script has less than 120 lines, as many as the README says")
  func scriptIsShort() throws {
    let count = try Checkout.lines(of: "Examples/first-boot/first-boot.py").count - 1
    #expect(count < 120)
    #expect(try Checkout.lines(of: "Examples/first-boot/README.md").contains { $0.contains("in \(count) lines") })
  }

  @Test("The separate package depends on the products that the target here depends on")
  func packagesAgree() throws {
    let own = try Checkout.lines(of: "Examples/first-boot/Package.swift").compactMap {
      $0.firstMatch(of: /\.product\(name: "(\w+)", package: "coordinatord"\)/).map { String($0.output.1) }
    }
    let here = try Checkout.lines(of: "Package.swift").drop { !$0.contains("name: \"first-boot-daemon\"") }.prefix {
      !$0.contains("path:")
    }
    #expect(own.count == 4)
    for name in own where name != "CoordinatorTestKit" { #expect(here.contains { $0.contains("\"\(name)\"") }) }
  }
}
