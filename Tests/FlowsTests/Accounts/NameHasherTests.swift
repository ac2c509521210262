import Testing

@testable import Accounts

@Suite("The hasher of unknown names", .timeLimit(.minutes(5)))
struct NameHasherTests {
  @Test("Hashes distinguish names, with a salt that can be stored")
  func hashesDistinguishNamesWithASalt() throws {
    let hasher = NameHasher()
    let again = try #require(NameHasher(setting: hasher.setting))
    #expect(hasher("anna") == again("anna"))
    #expect(hasher("anna") != hasher("Anna"))
    #expect(hasher("anna") != NameHasher()("anna"))
    #expect(hasher("anna").utf8.count == 43)
  }

  @Test("Any name can be hashed", arguments: ["", "\0", "$$", String(repeating: "é", count: 100_000)])
  func anyNameCanBeHashed(name: String) { #expect(NameHasher()(name).utf8.count == 43) }

  @Test(
    "A setting that is invalid or costs more is refused",
    arguments: ["", "$5$", "$5$rounds=1000$", "$5$rounds=999999999$salt", "$6$salt", "$5$rounds=1000$a$b", "$5$rounds=1000$ü"])
  func costlyOrInvalidSettingsAreRefused(setting: String) { #expect(NameHasher(setting: setting) == nil) }
}
