import Forms
import ProgramQuestions
import Testing

/// The question of apt 2.6 before it installs.
@Suite("Questions with two letters on the terminal", .timeLimit(.minutes(1)))
struct YesNoPromptTests {
  private static let output = """
    Reading package lists...

    0 upgraded, 1 newly installed, 0 to remove and 3 not upgraded.
    Need to get 53.1 kB of archives.
    Do you want to continue? [Y/n]\u{20}
    """

  @Test("T12: apt's question is a menu with its lines, and is answered with a letter")
  func apt() throws {
    let prompt = try #require(YesNoPrompt(output: Self.output.utf8))
    #expect(prompt.text == "Do you want to continue?")
    #expect(prompt.context.count == 2)
    #expect(prompt.preset == true)
    let screen = prompt.question.told
    #expect(screen["title"] == "Do you want to continue?")
    #expect(screen["default"] == "yes")
    #expect(prompt.keys(for: .action("yes")) == Array("y\n".utf8))
    #expect(prompt.keys(for: .action("no")) == Array("n\n".utf8))
    #expect(prompt.keys(for: .back) == nil)
  }

  @Test("Other languages and defaults are understood")
  func variants() throws {
    let german = try #require(YesNoPrompt(output: "\u{1B}[1mMöchten Sie fortfahren? [J/n]\u{1B}[0m ".utf8))
    #expect(german.keys(for: .action("yes")) == Array("j\n".utf8))
    #expect(german.text == "Möchten Sie fortfahren?")
    let no = try #require(YesNoPrompt(output: "Sure? [y/N]".utf8))
    #expect(no.preset == false && no.question.told["default"] == "no")
    let none = try #require(YesNoPrompt(output: "Sure? [y/n] ".utf8))
    #expect(none.preset == nil && none.question.told["default"] == nil)
  }

  @Test(
    "Anything else is no question",
    arguments: ["", " ", "[Y/n] ", "Do you want to continue? [Y/n] y", "Get [1/2] ", "Sure? [Y/n] \n", "x [Y/n]x"])
  func others(text: String) { #expect(YesNoPrompt(output: text.utf8) == nil) }
}
