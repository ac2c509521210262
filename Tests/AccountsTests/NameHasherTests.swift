import Testing

@testable import Accounts

@Suite("The hasher of names that nobody has")
struct NameHasherTests {
  @Test("tells names apart, with a salt of its own that can be kept")
  func hashing() throws {
    let hasher = NameHasher()
    let again = try #require(NameHasher(setting: hasher.setting))
    #expect(hasher("anna") == again("anna"))
    #expect(hasher("anna") != hasher("Anna"))
    #expect(hasher("anna") != NameHasher()("anna"))
    #expect(hasher("anna").utf8.count == 43)
  }

  @Test("takes any name", arguments: ["", "\0", "$$", String(repeating: "é", count: 100_000)])
  func anything(name: String) { #expect(NameHasher()(name).utf8.count == 43) }

  @Test(
    "takes no setting that costs more or is none",
    arguments: ["", "$5$", "$5$rounds=1000$", "$5$rounds=999999999$salt", "$6$salt", "$5$rounds=1000$a$b", "$5$rounds=1000$ü"])
  func settings(setting: String) { #expect(NameHasher(setting: setting) == nil) }
}
