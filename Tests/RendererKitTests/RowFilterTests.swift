import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("What is typed into a list")
struct RowFilterTests {
  private func titles(_ rows: [RowFilter.Row], _ text: String) -> [String] {
    RowFilter(rows).matches(text).rows.map { rows[$0].title }
  }

  private func titles(_ titles: [String], _ text: String) -> [String] {
    self.titles(titles.map { RowFilter.Row(title: $0) }, text)
  }

  @Test("shows all rows in order while it contains no word")
  func everything() {
    let matches = RowFilter(["b", "a"].map { .init(title: $0) }).matches("  ")
    #expect(matches.rows == [0, 1])
    #expect(matches.isEverything)
    #expect(matches.best == nil)
  }

  @Test("has to match word by word, wherever each word is in the row")
  func words() {
    let rows = [
      RowFilter.Row(title: "Red wheel", subtitle: "For carts", group: "Tools"), .init(title: "Red cart"),
      .init(title: "Blue wheel"),
    ]
    #expect(titles(rows, "wheel red") == ["Red wheel"])
    #expect(titles(rows, "tools cart") == ["Red wheel"])
    #expect(titles(rows, "cart tools blue").isEmpty)
  }

  @Test("matches the beginning of a word better than the middle, and that better than letters with gaps")
  func order() {
    #expect(titles(["catalogue", "bobcat", "the cat", "c-a-t"], "cat") == ["catalogue", "the cat", "bobcat", "c-a-t"])
  }

  @Test("leaves rows that match equally well in their order")
  func stable() { #expect(titles(["cat b", "cat a", "cat c"], "cat") == ["cat b", "cat a", "cat c"]) }

  @Test("leaves grouped rows in their order, but knows the best")
  func groups() {
    let rows = [RowFilter.Row(title: "bobcat", group: "A"), .init(title: "cat", group: "B")]
    let matches = RowFilter(rows).matches("cat")
    #expect(matches.rows == [0, 1])
    #expect(matches.best == 1)
  }

  @Test(
    "matches whatever the case and the diacritics of Latin letters are",
    arguments: [
      ("jürgen", "JURGEN"), ("Jurgen", "jür"), ("Łódź", "lodz"), ("straße", "STRASSE"), ("Æsir", "aes"), ("İstanbul", "ist"),
      ("cœur", "coeur"), ("e\u{301}tude", "étude"), ("Ελλάδα", "ελλάδα"), ("МОСКВА", "москва"), ("東京都", "京"), ("Việt", "viet"),
    ])
  func folding(title: String, text: String) { #expect(titles([title], text) == [title]) }

  @Test("looks only for letters of the title when there are gaps between them")
  func gaps() {
    let rows = [RowFilter.Row(title: "Network manager", subtitle: "abc"), .init(title: "x", subtitle: "never more")]
    #expect(titles(rows, "nm") == ["Network manager"])
    #expect(titles(rows, "ac").isEmpty)
  }

  @Test("has to match numbers in one piece")
  func numbers() { #expect(titles(["199", "919", "991"], "99") == ["991", "199"]) }

  @Test("finds the same rows when it grows as when it is typed at once")
  func narrowing() {
    let rows = (0..<300).map { RowFilter.Row(title: "Item \($0)", subtitle: $0 % 7 == 0 ? "seven" : nil) }
    let filter = RowFilter(rows)
    var former = filter.matches("")
    var text = ""
    for character in "1 it seven 2" {
      text.append(character)
      former = filter.matches(text, after: former)
      #expect(former == filter.matches(text))
    }
    #expect(!former.rows.isEmpty)
  }

  @Test("is counted")
  func count() { #expect(RowFilter(["a", "b", "ab"].map { .init(title: $0) }).matches("a").count == "2 of 3") }

  @Test("is marked where it matches")
  func marks() {
    #expect(RowMarks("cat", title: "bobcat, the cat") == RowMarks("CAT", title: "bobcat, the cat"))
    #expect(RowMarks("cat", title: "bobcat, the cat").title == [12..<15])
    #expect(RowMarks("cat", title: "bobcat", subtitle: "a cat").title == [3..<6])
    #expect(RowMarks("cat", title: "bobcat", subtitle: "a cat").subtitle == [2..<5])
    #expect(RowMarks("nm", title: "Network manager").title == [0..<1, 8..<9])
    #expect(RowMarks("ab bc", title: "abc").title == [0..<3])
    #expect(RowMarks("x", title: "abc").title.isEmpty)
  }

  @Test("is marked by characters, whatever they consist of")
  func characters() {
    #expect(RowMarks("ode", title: "👩‍👩‍👧‍👦 E\u{301}ode").title == [3..<6])
    #expect(RowMarks("strasse", title: "Die Straße").title == [4..<10])
  }

  @Test("is marked close together")
  func close() { #expect(RowMarks("ab", title: "a a-b").title == [2..<3, 4..<5]) }
}
