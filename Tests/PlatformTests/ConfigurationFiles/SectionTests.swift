import Testing

@testable import ConfigurationFiles

@Suite("Families of sections", .timeLimit(.minutes(5)))
struct SectionTests {
  private static let users = ConfigurationKey<[String]>(
    "Users", inEach: "Flow", "NAME", .words("names of users", name: "users"), default: [], reloads: true, "Who.")

  private func read(_ places: Places) -> Configuration {
    let all = ["XDG_CONFIG_DIRS": "\(places.root)/shared", "XDG_CONFIG_HOME": "\(places.root)/own", "D_USERS": "nobody"]
    return Configuration(
      Keys.all + [Self.users.entry],
      from: ConfigurationSource(places: .user("d", environment: all), environment: all, prefix: "D", flags: []))
  }

  @Test("Each section of a family has separate values, which later files override or discard")
  func everySectionHasItsOwnValues() throws {
    let places = try Places([
      "shared/d/d.conf": "[Flow pets]\nUsers=ada  bob\n[Limits]\nMaxFlows=7\n[Flow  join network ]\nUsers=cy\n",
      "own/d/d.conf": "[Flow pets]\nUsers=dan\n[Flow join network]\nUsers=\n[Flow empty]\n",
    ])
    let read = read(places)
    #expect(places.problems(read) == [])
    #expect(read.sections.map(\.name) == ["pets", "join network", "empty"])
    #expect(read.sections.map { read[Self.users, in: $0] } == [["dan"], [], []])
    #expect(read[Keys.maxFlows] == 7)
    let printed = read.description.replacing(places.root + "/", with: "")
    #expect(
      printed.hasSuffix("[Flow pets]\n# own/d/d.conf:2\nUsers=dan\n\n[Flow join network]\n#Users=\n\n[Flow empty]\n#Users="))
  }

  @Test("A section without a name, an unknown key and a key outside of its section are problems, each with its line")
  func problemsOfSectionsHaveTheirLines() throws {
    let places = try Places(["own/d/d.conf": "[Flow]\n[Flow pets]\nUser=ada\nMaxFlows=3\n[Limits]\nUsers=bob\n"])
    var read = read(places)
    let section = try #require(read.sections.first)
    read.refuse(section, "no")
    read.refuse(Self.users, in: section, "never")
    #expect(
      places.problems(read) == [
        "own/d/d.conf:1: [Flow] lacks a name; expected [Flow NAME]",
        "own/d/d.conf:3: unknown key User in [Flow NAME]; did you mean Users?",
        "own/d/d.conf:4: MaxFlows belongs in the section [Limits]",
        "own/d/d.conf:6: Users belongs in the section [Flow NAME]", "own/d/d.conf:2: [Flow pets]: no",
        "own/d/d.conf:2: Users=: never",
      ])
  }

  @Test("A changed, a new and a missing section are changes of their keys")
  func changesOfSectionsAreFound() throws {
    func changes(_ before: String, _ after: String) throws -> [String] {
      let (old, new) = (read(try Places(["own/d/d.conf": before])), read(try Places(["own/d/d.conf": after])))
      return new.changes(from: old).map(\.name)
    }
    #expect(try changes("[Flow a]\nUsers=x", "[Flow a]\nUsers=x\n[Flow b]") == [])
    #expect(try changes("[Flow a]\nUsers=x", "[Flow a]\nUsers=y") == ["Users"])
    #expect(try changes("[Flow a]\nUsers=x", "") == ["Users"])
    #expect(try changes("", "[Flow a]\nUsers=x") == ["Users"])
  }
}
