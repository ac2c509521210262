import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import RendererKit
import ScreenSamples
import Testing

@testable import LinearTerminal

@Suite("Others at the same flow, line by line", .timeLimit(.minutes(1)))
struct CompanyTests {
  private static let phone = Participant(client: ":1.7", kind: "web", people: ["Safari on iPhone"])
  private static let terminal = Participant(client: ":1.8", kind: "terminal", name: "pts/3, anna")

  private func take(_ participants: [Participant], _ conversation: inout Conversation) -> [Conversation.Effect] {
    conversation.handle(.event(.participants(participants)))
  }

  @Test("Users who were there before, who arrive and who leave are listed above the prompt, and typed text stays")
  func companyIsTold() {
    var conversation = Conversation.showing(Samples.menu)
    #expect(take([Self.phone], &conversation).lines == ["Also here: Safari on iPhone"])
    let come = take([Self.phone, Self.terminal], &conversation)
    #expect(come.first == .interruptPrompt)
    #expect(come.lines == ["terminal (pts/3, anna) has joined."])
    #expect(come.prompt == Prompt("Choice: "))
    #expect(take([Self.terminal], &conversation).lines == ["Safari on iPhone has left."])
    #expect(take([Self.terminal], &conversation).isEmpty)
  }

  @Test("During a call nothing is printed, and the next screen begins with who has come")
  func companyWaitsForTheNextScreen() {
    var conversation = Conversation.showing(Samples.menu)
    _ = take([], &conversation)
    #expect(conversation.answer("1").delegation != nil)
    #expect(take([Self.phone], &conversation).isEmpty)
    _ = conversation.handle(.accepted(revision: 2))
    let next = Samples.window(2, Samples.presented(.message("next", title: "Next"), id: 2))
    #expect(conversation.handle(.event(.window(next))).lines.prefix(2) == ["", "Safari on iPhone has joined."])
  }

  @Test("A script receives no news of other users")
  func scriptIsToldNothing() {
    var conversation = Conversation.showing(Samples.menu, isInteractive: false)
    #expect(take([Self.phone], &conversation).isEmpty)
  }
}
