import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The completion of command lines", .timeLimit(.minutes(5)))
struct CompletionTests {
  private func words(_ line: String..., isSplit: Bool = false) -> CompletionWords {
    CompletionWords(["coordinatorctl"] + line, at: line.count, isSplit: isSplit)
  }

  @Test("The arguments before the word are those of the command, without options and their values")
  func argumentsAreFoundAmongOptions() {
    let line = words("--json", "send", "--screen", "home", "pets_1", "--wait", "")
    #expect(line.arguments == ["pets_1"])
    #expect(words("start", "--fresh", "--token", "a", "pets", "k").arguments == ["pets"])
    #expect(words("start", "pets", "k").current == "k")
  }

  @Test("The bus of the command line is the one that is asked")
  func busIsTakenFromTheLine() {
    #expect(words("show", "").bus == .session)
    #expect(words("--system", "show", "").bus == .system)
    #expect(words("show", "--address", "unix:path=/b", "").bus == .address("unix:path=/b"))
    #expect(words("show", "--address=unix:path=/b", "").bus == .address("unix:path=/b"))
  }

  @Test("Quotes and backslashes, which shells pass on, are not part of a word")
  func quotesAreNotPartOfAWord() {
    #expect(words("forget", "''").current == "")
    #expect(words("start", "'pets'", "na\\=\"b").arguments == ["pets"])
    #expect(words("start", "'pets'", "na\\=\"b").current == "na=b")
  }

  @Test("What bash splits at '=' is put together, and the candidates lack what it has cut off")
  func wordsOfBashArePutTogether() {
    let value = words("send", "save", "drink", "=", "t", isSplit: true)
    #expect(value.arguments == ["save"])
    #expect(value.fitting(["drink=tea", "drink=coffee", "size=t"]) == ["tea"])
    let open = words("send", "save", "drink", "=", isSplit: true)
    #expect(open.fitting(["drink=tea", "drink=coffee"]) == ["tea", "coffee"])
    let next = words("send", "save", "drink", "=", "tea", "s", isSplit: true)
    #expect(next.arguments == ["save", "drink=tea"])
    #expect(next.fitting(["drink=tea", "size="]) == ["size="])
  }

  @Test("The events, items, screens and fields of the screen on top are offered, but nothing that cannot be chosen")
  func partsOfTheScreenAreOffered() {
    let list = ScreenCompletion(
      window: window(
        .list(
          "drinks", title: "Drinks", items: [Item("tea", "Tea"), Item("water", "Water", disabled: "frozen")],
          actions: [Action("skip", "Skip"), Action("pay", "Pay").disabled(because: "empty")])))
    #expect(list.events == ["skip", "select"])
    #expect(list.words(after: "select", [], current: "") == ["tea"])
    #expect(list.words(after: "select", [], current: "id=") == ["id=tea"])
    #expect(list.words(after: "skip", [], current: "").isEmpty)
  }

  @Test("Fields are offered with their values, once, and secrets are read from standard input")
  func fieldsAreOfferedWithTheirValues() {
    let fields = [
      Field("name", .string(title: "Name")), Field("sure", .boolean(title: "Sure")),
      Field("password", .secret(title: "Password")),
    ]
    #expect(ScreenCompletion.assignments(of: fields, []) == ["name=", "sure=true", "sure=false", "password=@-"])
    #expect(ScreenCompletion.assignments(of: fields, ["sure=true", "name=a"]) == ["password=@-"])
  }

  @Test(
    "bash takes a candidate literally, also where a letter and what follows it are one character",
    arguments: [
      ("pets_1", "pets_1"), ("drink=tea", "drink=tea"), ("$(reboot)", "'$(reboot)'"), ("it's", #"'it'\''s'"#),
      ("\u{0D4E}$(reboot)", "'\u{0D4E}$(reboot)'"), ("", "''"),
    ])
  func bashTakesCandidatesLiterally(candidate: String, line: String) {
    #expect(CompletingShell.bash.line(candidate) == line)
  }

  @Test("A colon begins no description in zsh, and no shell is sent what would end a line or control a terminal")
  func linesStayWhole() {
    #expect(CompletingShell.zsh.line("a:\\b") == "a\\:\\\\b")
    #expect(CompletingShell.fish.line("$(a)") == "$(a)")
    for shell in CompletingShell.allCases {
      for text in ["a\nb", "a\tb", "\u{1B}[2J", "a\u{202E}b"] { #expect(shell.line(text) == nil) }
    }
  }

  private func window(_ screen: Screen) -> MirroredWindow {
    MirroredWindow(revision: 1, screens: [Samples.presented(screen)])
  }
}
