import KeeperClient
import Platform
import Testing

@Suite("Where keepers are found")
struct KeeperPlacesTests {
  @Test(
    "The name of a program is no path", arguments: ["", ".", "..", "../x", "a/b", "-a", "a\n", String(repeating: "a", count: 65)])
  func paths(name: String) { #expect(!ProgramName.isValid(name)) }

  @Test("A program has a name of letters, digits and a few signs", arguments: ["a", "p0-x_y.z", "9"])
  func names(name: String) { #expect(ProgramName.isValid(name)) }
}
