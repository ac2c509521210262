import CoordinatorKit
import Testing

@testable import CoordinatorWeb

@Suite("Keys on a page", .timeLimit(.minutes(5)))
struct KeysTests {
  private static func keys(_ page: String) -> [String] {
    page.matches(of: /data-key="(\d+)"/).map { String($0.1) }
  }

  @Test("Choices of a menu have the digits of their places, as in the terminal")
  func choicesHaveDigits() {
    let menu = Screen.menu(
      "m", title: "M", choices: (1...12).map { Action("a\($0)", Text(verbatim: "Choice \($0)")) } + [.cancel("c", "Leave")])
    #expect(Self.keys(Samples.page(menu)) == (1...9).map(String.init))
    #expect(Self.keys(Samples.page(Samples.logIn)).isEmpty)
  }

  @Test("Rows of a short list have digits, and those of a long one do not, because there digits are searched for")
  func rowsOfShortListsHaveDigits() {
    func list(_ count: Int) -> Screen {
      .list("l", title: "L", items: (0..<count).map { Item("\($0)", Text(verbatim: "Row \($0)")) })
    }
    #expect(Self.keys(Samples.page(list(3))) == ["1", "2", "3"])
    #expect(Self.keys(Samples.page(list(3).choosing(0...3))) == ["1", "2", "3"])
    #expect(Self.keys(Samples.page(list(11))).isEmpty)
  }

  @Test("Telephones offer the keys that a field needs, and a minus sign where a number may be negative")
  func fieldsSayWhichKeysTheyNeed() {
    let fields = [
      Field("count", .integer(title: "Count", range: 0...9)), Field("degrees", .integer(title: "Degrees")),
      Field("weight", .number(title: "Weight", range: 0...99)), Field("mail", .email(title: "E-mail address")),
      Field("name", .string(title: "Name")),
    ]
    let page = Samples.page(Screen.form("f", title: "F", form: Form(fields), actions: [.primary("send", "Send")]))
    func control(_ index: Int) -> Substring { page.split(separator: "id=\"field-\(index)\"").last?.prefix { $0 != ">" } ?? "" }
    #expect(control(0).contains("inputmode=\"numeric\""))
    #expect(!control(1).contains("inputmode"))
    #expect(control(2).contains("inputmode=\"decimal\""))
    #expect(control(3).contains("type=\"email\"") && control(3).contains("autocomplete=\"email\""))
    #expect(control(3).contains("autocapitalize=\"none\"") && !control(4).contains("autocapitalize"))
    #expect(page.ranges(of: "enterkeyhint=\"go\"").count == 5)
  }
}
