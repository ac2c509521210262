import ConfigurationFiles
import Foundation
import Testing

@Suite("Sources of a configuration", .timeLimit(.minutes(5)))
struct ReadingTests {
  @Test("Without any configuration source, the defaults apply")
  func defaultsApplyWithoutSources() throws {
    let read = try Places().read()
    #expect(read[Keys.maxFlows] == 20_000 && read[Keys.address] == nil && read[Keys.colour] == .red)
    #expect(read.problems.isEmpty && read.files.isEmpty)
    #expect(read.origin(of: Keys.maxFlows) == .builtIn)
  }

  @Test(
    "Flags override variables, which override drop-ins, the user's file, and the shared file, in this order")
  func sourcesOverrideInOrder() throws {
    var files = ["shared/d/d.conf": "[Limits]\nMaxFlows=1\nMaxBytes=1K\n"]
    func maxFlows(_ environment: [String: String] = [:], flag: String? = nil) throws -> (UInt32, String) {
      let places = try Places(files)
      let read = places.read(environment, flags: [Keys.maxFlows.given(flag)])
      #expect(read.problems.isEmpty)
      #expect(read[Keys.maxBytes] == 1_024, "what the others do not say stays")
      return (read[Keys.maxFlows], read.origin(of: Keys.maxFlows).description.replacing(places.root + "/", with: ""))
    }
    #expect(try maxFlows() == (1, "shared/d/d.conf:2"))
    files["own/d/d.conf"] = "[Limits]\nMaxFlows=2\n"
    #expect(try maxFlows() == (2, "own/d/d.conf:2"))
    files["shared/d/d.conf.d/10-a.conf"] = "[Limits]\nMaxFlows=3\n"
    #expect(try maxFlows() == (3, "shared/d/d.conf.d/10-a.conf:2"))
    #expect(try maxFlows(["D_MAX_FLOWS": "4"]) == (4, "$D_MAX_FLOWS"))
    #expect(try maxFlows(["D_MAX_FLOWS": "4"], flag: "5") == (5, "--max-flows"))
  }

  @Test("Drop-ins from all directories apply in name order, and a user's drop-in hides a shared one of its name")
  func dropInsAreSortedByName() throws {
    let places = try Places([
      "shared/d/d.conf.d/20-b.conf": "[Limits]\nMaxFlows=20\n",
      "own/d/d.conf.d/10-a.conf": "[Limits]\nMaxFlows=10\nMaxBytes=10\n",
      "shared/d/d.conf.d/30-c.conf": "[Limits]\nMaxFlows=30\n", "own/d/d.conf.d/30-c.conf": "",
      "own/d/d.conf.d/40-d.conf~": "[Limits]\nMaxFlows=40\n", "own/d/d.conf.d/.50.conf": "[Limits]\nMaxFlows=50\n",
    ])
    let read = places.read()
    #expect(read[Keys.maxFlows] == 20 && read[Keys.maxBytes] == 10)
    #expect(read.files.map { $0.suffix(9) } == ["10-a.conf", "20-b.conf", "30-c.conf"])
  }

  @Test("A link to /dev/null hides a drop-in, and an empty value resets a setting to its default")
  func nullLinkAndEmptyValueReset() throws {
    let places = try Places([
      "shared/d/d.conf.d/a.conf": "[Limits]\nMaxFlows=2\n", "own/d/d.conf": "[Limits]\nMaxBytes=2\n[Looks]\nColour=green",
      "own/d/d.conf.d/b.conf": "[Limits]\nMaxBytes=\n",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: "\(places.root)/own/d/d.conf.d/a.conf", withDestinationPath: "/dev/null")
    let read = places.read(["D_COLOUR": ""])
    #expect(read.problems.isEmpty)
    #expect(read[Keys.maxFlows] == 20_000 && read[Keys.maxBytes] == 16 << 20 && read[Keys.colour] == .red)
  }

  @Test("A named configuration file must exist, and the drop-ins beside it apply")
  func namedFileMustExist() throws {
    let places = try Places(["x.conf": "[Limits]\nMaxFlows=1", "x.conf.d/a.conf": "[Limits]\nMaxBytes=1"])
    func read(_ name: String) -> Configuration {
      let only = ConfigurationPlaces.only("\(places.root)/\(name)")
      return Configuration(Keys.all, from: ConfigurationSource(places: only, environment: [:], prefix: "D", flags: []))
    }
    #expect(read("x.conf")[Keys.maxFlows] == 1 && read("x.conf")[Keys.maxBytes] == 1)
    #expect(places.problems(read("y.conf")) == ["y.conf: no such file"])
    #expect(places.problems(read("x.conf.d")) == ["x.conf.d: cannot be read: it is not a regular file"])
  }

  @Test("A user's configuration paths follow the XDG base directory specification")
  func userPlacesFollowXDG() {
    #expect(
      ConfigurationPlaces.user("d", environment: ["HOME": "/h"]).files == ["/etc/xdg/d/d.conf", "/h/.config/d/d.conf"])
    let set = ["XDG_CONFIG_DIRS": "/first:relative:/second/:/own", "XDG_CONFIG_HOME": "/own", "HOME": "/h"]
    let places = ConfigurationPlaces.user("d", environment: set)
    #expect(places.files == ["/second/d/d.conf", "/first/d/d.conf", "/own/d/d.conf"])
    #expect(places.dropIns == places.files.map { $0 + ".d" })
    #expect(ConfigurationPlaces.system("d").files == ["/etc/d/d.conf"])
  }

  @Test("A printed configuration reads back with the same values")
  func printedConfigurationReadsBack() throws {
    let read = try Places(["own/d/d.conf": "[Limits]\nMaxFlows = 7\n"]).read(["D_COLOUR": "green"])
    let again = try Places(["own/d/d.conf": read.description]).read()
    #expect(again.problems.isEmpty)
    #expect(again[Keys.maxFlows] == 7 && again[Keys.colour] == .green)
    #expect(again.changes(from: read).isEmpty)
    #expect(read.description.contains("\n# $D_COLOUR\nColour=green"))
    #expect(read.description.contains("\n#MaxBytes=16M"))
  }

  @Test("A changed value is reported by the name of its key")
  func changedValueIsFoundByKey() throws {
    let before = try Places(["own/d/d.conf": "[Limits]\nMaxFlows=1\nMaxBytes=1"]).read()
    let after = try Places(["own/d/d.conf": "[Limits]\nMaxFlows=2\n[Looks]\nColour=red"]).read(["D_MAX_BYTES": "1"])
    #expect(after.changes(from: before).map(\.name) == ["MaxFlows"])
  }

  @Test("A value begins behind the equals sign, and a comment at its sign, also if a mark follows")
  func marksAreText() throws {
    let places = try Places(["own/d/d.conf": "[Bus]\n#\u{301} a comment\n;\u{FE0F} too\nAddress=\u{301}x=\u{338}y\n"])
    let read = places.read()
    #expect(places.problems(read) == [])
    #expect(read[Keys.address].map { Array($0.utf8) } == Array("\u{301}x=\u{338}y".utf8))
  }
}
