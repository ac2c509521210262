import Forms
import ProgramQuestions
import Testing

/// dpkg 1.21 and apt 2.6.
@Suite("dpkg's configuration files and apt's status", .timeLimit(.minutes(1)))
struct ConffileTests {
  private static let prompt = """
    Setting up foo (1.1) ...

    Configuration file '/etc/foo.d/foo.conf'
     ==> Modified (by you or by a script) since installation.
     ==> Package distributor has shipped an updated version.
       What would you like to do about it ?  Your options are:
        Y or I  : install the package maintainer's version
        N or O  : keep your currently-installed version
          D     : show the differences between the versions
          Z     : start a shell to examine the situation
     The default action is to keep your current version.
    *** foo.conf (Y/I/N/O/D/Z) [default=N] ?\u{20}
    """

  private func terminal(_ text: String) -> [UInt8] {
    Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
  }

  @Test("The prompt is found, with its path, and is a menu")
  func menu() throws {
    let prompt = try #require(ConffilePrompt(output: terminal(Self.prompt)))
    #expect(prompt.name == "foo.conf")
    #expect(prompt.path == "/etc/foo.d/foo.conf")
    #expect(prompt.preset == .keep)
    let screen = prompt.question.told
    #expect(screen["name"] == "dpkg-conffile//etc/foo.d/foo.conf")
    #expect(screen["title"] == "Configuration file /etc/foo.d/foo.conf")
    #expect(
      screen["body"]
        == "Modified (by you or by a script) since installation.\n\nPackage distributor has shipped an updated version.")
    #expect(screen["actions"]?.array?.compactMap { $0["id"]?.string } == ["keep", "install", "differences"])
    #expect(screen["default"] == "keep")
    #expect(screen["actions"]?.array?.contains { $0["role"] == "primary" } == false)
  }

  @Test("The answer is typed as a line, and there is no shell")
  func keys() throws {
    let prompt = try #require(ConffilePrompt(output: terminal(Self.prompt)))
    let keys = ["keep", "install", "differences", "shell"].map {
      prompt.keys(for: .action($0)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(keys == ["N\n", "Y\n", "D\n", nil])
    #expect(prompt.keys(for: .back) == nil)
    #expect(ConffilePrompt.environment == ["DPKG_PAGER": "cat"])
  }

  @Test("It is a question only if it is the last thing on the terminal")
  func mustBeLast() {
    #expect(ConffilePrompt(output: terminal(Self.prompt + "N\n")) == nil)
    #expect(ConffilePrompt(output: terminal(Self.prompt + "N")) == nil)
    #expect(ConffilePrompt(output: terminal(String(Self.prompt.dropLast(3)))) == nil)
    #expect(ConffilePrompt(output: terminal("")) == nil)
  }

  @Test("Other languages, colors and defaults are understood")
  func variants() throws {
    let german = "\u{1B}[1mKonfigurationsdatei »/etc/a.conf«\u{1B}[0m\n ==> Geändert.\n*** a.conf (Y/I/N/O/D/Z) [Vorgabe=Y] ? "
    let prompt = try #require(ConffilePrompt(output: terminal(german)))
    #expect(prompt.path == "/etc/a.conf")
    #expect(prompt.preset == .install)
    let none = try #require(
      ConffilePrompt(output: terminal("Configuration file '/etc/b' (actually '/usr/b')\n*** b (Y/I/N/O/D/Z)  ? ")))
    #expect(none.path == "/etc/b")
    #expect(none.preset == nil)
    #expect(prompt.question.told["default"] == "install")
    #expect(none.question.told["default"] == nil)
    let alone = try #require(ConffilePrompt(output: terminal("*** b (Y/I/N/O/D/Z) [default=N] ? ")))
    #expect(alone.path == nil)
    #expect(alone.screenName == "dpkg-conffile/b")
  }

  @Test("After the differences were asked for, they are shown with the question")
  func differences() throws {
    let text = "D\n--- /etc/foo.d/foo.conf\t2026-01-01\n+++ /etc/foo.d/foo.conf.dpkg-new\n@@ -1 +1 @@\n-a\n+b\n" + Self.prompt
    let prompt = try #require(ConffilePrompt(output: terminal(text)))
    #expect(prompt.differences.prefix(2) == ["--- /etc/foo.d/foo.conf\t2026-01-01", "+++ /etc/foo.d/foo.conf.dpkg-new"])
    #expect(prompt.path == "/etc/foo.d/foo.conf")
    #expect(prompt.question.told["blocks"]?[2]?["kind"] == "verbatim")
  }

  @Test("apt's status lines are progress and questions")
  func status() throws {
    #expect(
      AptStatus("dlstatus:1:25.5:Retrieving file 1 of 4") == .download(item: 1, percent: 25.5, text: "Retrieving file 1 of 4"))
    let installing = AptStatus("pmstatus:foo:33.3333:Installing foo: now (amd64)")
    #expect(installing == .package("foo", percent: 33.3333, text: "Installing foo: now (amd64)"))
    #expect(installing?.progress?.text == "Installing foo: now (amd64)")
    #expect(AptStatus("pmstatus:foo:50:x")?.progress?.fraction == 0.5)
    #expect(AptStatus("pmerror:foo:10:it: failed") == .failure(package: "foo", percent: 10, text: "it: failed"))
    let question = try #require(ConffileQuestion("'/etc/a b' '/etc/a b.dpkg-new' 1 0"))
    #expect(question.current == "/etc/a b" && question.new == "/etc/a b.dpkg-new" && question.isEdited && !question.isUpdated)
    #expect(
      AptStatus("pmconffile:/etc/a b:10:'/etc/a b' '/etc/a b.dpkg-new' 1 0")
        == .conffile(path: "/etc/a b", percent: 10, question: question))
    #expect(
      AptStatus("media-change: medium 'Disc 1' in drive '/media/cdrom/'") == .medium(name: "Disc 1", drive: "/media/cdrom/"))
    #expect(AptStatus("media-change:Disc 1:/media/cdrom") == .medium(name: "Disc 1", drive: "/media/cdrom"))
    for line in ["", "pmstatus", "pmstatus:a:b:c", "pmstatus:a:nan:c", "dlstatus:x:1:c", "pmconffile:/e:1:'a'", "new:a:1:b"] {
      #expect(AptStatus(line) == nil)
    }
  }

  @Test("dpkg's own status line names the file")
  func dpkgStatus() {
    let status = ConffileQuestion.read(
      dpkgStatus: "status: /etc/foo.conf : conffile-prompt : '/etc/foo.conf' '/etc/foo.conf.dpkg-new' 1 1 ")
    #expect(status?.path == "/etc/foo.conf")
    #expect(status?.question.new == "/etc/foo.conf.dpkg-new")
    #expect(ConffileQuestion.read(dpkgStatus: "status: foo: installed") == nil)
  }

  @Test("Apostrophes and colons separate also if a mark follows")
  func marks() throws {
    let question = try #require(ConffileQuestion("'\u{301}/etc/a' '\u{FE0F}/etc/a.dpkg-new' 1 0"))
    #expect(Array(question.current.utf8) == Array("\u{301}/etc/a".utf8))
    #expect(Array(question.new.utf8) == Array("\u{FE0F}/etc/a.dpkg-new".utf8))
    #expect(question.isEdited && !question.isUpdated)
    let status = try #require(
      ConffileQuestion.read(dpkgStatus: "status: \u{301}/etc/a : conffile-prompt : '/etc/a' '/etc/a.dpkg-new' 1 1 "))
    #expect(Array(status.path.utf8) == Array("\u{301}/etc/a".utf8))
    #expect(AptStatus("pmstatus:\u{301}foo:50:\u{301}text") == .package("\u{301}foo", percent: 50, text: "\u{301}text"))
    #expect(
      AptStatus("media-change: medium '\u{301}Disc' in drive '\u{301}/media/cdrom'")
        == .medium(name: "\u{301}Disc", drive: "\u{301}/media/cdrom"))
  }
}
