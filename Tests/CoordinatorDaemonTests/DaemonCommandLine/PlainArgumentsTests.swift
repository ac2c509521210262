import ArgumentParser
import Testing

@testable import ConfigurationFiles
@testable import DaemonCommandLine

@Suite("Plain command lines of a daemon", .timeLimit(.minutes(5)))
struct PlainArgumentsTests {
  private static func words(_ arguments: DaemonArguments) -> [String] {
    let given = arguments.given.map { "\($0.key.name)=\($0.text)" }.sorted()
    let name = arguments.name?.busName ?? "no name"
    return ["\(arguments.isSystem) \(arguments.replaces) \(arguments.task) \(name)", arguments.file ?? ""] + given
  }

  @Test(
    "A plain command line is read as ArgumentParser reads it",
    arguments: [
      [], ["--system"], ["--replace", "--ephemeral"], ["--no-ephemeral", "--sync", "normal"],
      ["--address", "unix:path=/x", "--idle-exit=5min"], ["--config", "/etc/x.conf", "--log-level", "debug"],
      ["--max-flows", "7", "--max-history", "0", "--state-dir", "/x"], ["--providers", "/p", "--translations=/t"],
      ["--name", "kiosk"], ["--name=org.example.Kiosk", "--replace"], ["--system", "--group", "root"],
    ])
  func plainIsParsed(arguments: [String]) throws {
    let plain = try #require(DaemonArguments(plain: arguments, keys: []))
    #expect(Self.words(plain) == Self.words(try DaemonOptions.parse(arguments).arguments()))
  }

  @Test(
    "What is wrong, asked or shortened is left to ArgumentParser",
    arguments: [
      ["--help"], ["--version"], ["--check-config"], ["--dump-config-keys"], ["--generate-completion-script", "bash"], ["serve"],
      ["--sync", "twice"], ["--sync"], ["--max-flows", "-1"], ["--max-flows="], ["--config"], ["--replace", "--replace"],
      ["--replace=yes"], ["--ephemeral", "yes"], ["--ephemeral=yes"], ["--no-ephemeral", "--ephemeral"],
      ["--system", "--address", "unix:path=/x"], ["--ephemeral", "--state-dir", "/x"], ["--state-dir", "relative"],
      ["--group", "root"], ["--unknown", "x"], ["--"], [""], ["--name"], ["--name", "--replace"],
      ["--name", "a/b"], ["--system", "--group", "no-such-group"],
    ])
  func restIsLeft(arguments: [String]) {
    let plain = DaemonArguments(plain: arguments, keys: [])
    #expect(plain.map(Self.words) == nil)
  }
}
