import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Others at the same form", .timeLimit(.minutes(5)))
struct CompanyTests {
  private static let phone = Participant(client: ":1.7", kind: "web", people: ["Safari on iPhone"])

  private static func window(_ id: UInt64 = 1, revision: UInt64 = 1) -> MirroredWindow {
    let name = Field("name", .string(title: "Name"))
    let screen = Screen("form-\(id)", kind: .form, title: "Form \(id)", actions: [.primary("submit", "Send")], form: Form(name))
    return Samples.window(revision, Samples.presented(screen, id: id))
  }

  private func display() -> Display {
    var display = Display(tree: "pets_1", font: .unicode, client: ":1.1")
    _ = display.handle(.event(.window(Self.window())))
    _ = display.handle(.event(.participants([Self.phone])))
    return display
  }

  private func text(_ display: inout Display) -> String {
    display.draw(in: Size(columns: 80, rows: 24), at: Timestamp(microseconds: 1)).lines.joined(separator: "\n")
  }

  @Test("Who is there and who types is shown, and their text is marked as theirs until it is edited")
  func othersTextIsMarked() {
    var display = self.display()
    #expect(text(&display).contains("Also here: Safari on iPhone"))
    _ = display.handle(.event(.typing(screen: 1, by: Self.phone)))
    _ = display.handle(.event(.drafted(screen: 1, ["name": "Jür"])))
    #expect(text(&display).contains("Typing: Safari on iPhone"))
    #expect(text(&display).contains("Typed in another place: Safari on iPhone"))
    #expect(text(&display).contains("Jür"))
    _ = display.handle(.key(.character("g")))
    #expect(!text(&display).contains("Typed in another place"))
    #expect(text(&display).contains("Jürg"))
  }

  @Test("Text that is typed here is never overwritten, and what others type meanwhile is shown")
  func ownTextIsNeverOverwritten() {
    var display = self.display()
    _ = display.handle(.key(.character("X")))
    _ = display.handle(.event(.typing(screen: 1, by: Self.phone)))
    _ = display.handle(.event(.drafted(screen: 1, ["name": "Jürgen"])))
    #expect(text(&display).contains("Typed in another place (Safari on iPhone) instead: Jürgen"))
    #expect(display.views[1]?.form.ownDraft == ["name": "X"])
  }

  @Test("Text that was not sent because another user answered is shown, and printed at the end")
  func unsentTextIsKept() {
    var display = self.display()
    for character in "Anna" { _ = display.handle(.key(.character(character))) }
    var answer = Answer(screen: 1, event: "submit", kind: "terminal", client: ":1.8")
    answer.name = "pts/3, anna"
    _ = display.handle(.event(.answered(answer)))
    _ = display.handle(.event(.window(Self.window(2, revision: 2))))
    let told = "Answered in another terminal (pts/3, anna). Your text was not sent: Anna"
    #expect(display.notice?.text == told)
    guard case .leave(_, let lines)? = display.handle(.interrupted).last else {
      Issue.record("it did not leave")
      return
    }
    #expect(lines.prefix(2) == ["Your text was not sent:", "  Name: Anna"])
  }
}
