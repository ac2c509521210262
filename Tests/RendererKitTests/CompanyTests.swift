import CoordinatorClient
import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("Company", .timeLimit(.minutes(5)))
struct CompanyTests {
  private let anna = Participant(client: ":1.1", kind: "terminal", name: "pts/3, anna")
  private let web = Participant(client: ":1.2", kind: "web", people: ["Safari on iPhone"])

  @Test("Others are named, this renderer is not, and a later arrival is reported once")
  func othersAreNamed() {
    var company = Company(own: ":1.9")
    #expect(company.sentence(at: Timestamp(microseconds: 0)) == nil)
    #expect(company.take([anna, Participant(client: ":1.9", kind: "terminal")]) == [])
    #expect(company.take([anna, web]) == ["Safari on iPhone"])
    #expect(company.take([anna, web]) == [])
    #expect(company.sentence(at: Timestamp(microseconds: 0)) == "Also here: terminal (pts/3, anna), Safari on iPhone")
  }

  @Test("Who types is named for four seconds")
  func typistIsNamedForAWhile() {
    var company = Company(own: nil)
    company.take([anna])
    company.typing(web)
    let now = Timestamp(microseconds: 1_000_000)
    #expect(company.sentence(at: now) == "Typing: Safari on iPhone")
    #expect(company.nextChange(after: now) == 4001)
    #expect(company.sentence(at: Timestamp(microseconds: 4_999_999)) == "Typing: Safari on iPhone")
    #expect(company.sentence(at: Timestamp(microseconds: 5_000_000)) == "Also here: terminal (pts/3, anna)")
    #expect(company.nextChange(after: now) == nil)
  }

  @Test("Names of other programs are printable and short, and programs that only listen are not listed")
  func namesAreSafe() {
    #expect(Participant(client: "", kind: "web", people: ["a\u{1B}[31mb"]).titles.first?.contains("\u{1B}") == false)
    #expect(Participant(client: "", kind: "terminal", name: String(repeating: "x", count: 128)).titles[0].count < 64)
    #expect(Participant(client: "", kind: "recorder").titles.isEmpty)
    #expect(Participant(client: "", kind: "web", people: []).titles.isEmpty)
    #expect(TerminalName.name(terminal: "/dev/pts/3", user: "anna") == "pts/3, anna")
    #expect(TerminalName.name(terminal: nil, user: nil).isEmpty)
  }

  @Test("Unsent text is shown with its fields, without secrets")
  func unsentTextHasNoSecrets() {
    let fields = [Field("name", .string(title: "Name")), Field("pin", .secret(title: "PIN"))]
    let unsent = UnsentText(["name": "Jürgen", "pin": "1234"], of: fields)
    #expect(unsent?.sentence == "Your text was not sent: Jürgen")
    #expect(unsent?.lines == ["Your text was not sent:", "  Name: Jürgen"])
    #expect(UnsentText(["pin": "1234", "name": " "], of: fields) == nil)
  }
}
