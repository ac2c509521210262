import CoordinatorKit
import Languages
import RendererKit
import Testing

@Suite("The languages of renderers", .timeLimit(.minutes(1)))
struct RendererLanguagesTests {
  private static func german(_ translations: [String: String]) -> Translations.Language {
    Translations.Language(.german, catalogues: [MessageCatalogue(translations)])
  }

  @Test("Without translations, everything is in English, whatever is asked for")
  func nothingIsTranslatedWithoutTranslations() throws {
    let languages = RendererLanguages(directories: ["/nonexistent"], preferred: [.german])
    #expect(languages.own == nil)
    #expect(languages.offered == [.english])
    #expect(languages.speaking(.german) { Text("Back").string } == "Back")
    #expect(languages.speaking(nil) { Text("Back").string } == "Back")
  }

  @Test("A reason is a sentence about its field, in the order of words of the language")
  func reasonIsASentence() {
    let field = Field("name", .integer(title: "名前"))
    let japanese = Self.german(["{field} {reason}": "{field}：{reason}", "is required": "入力してください"])
    Translation.$current.withValue(japanese) {
      #expect(FieldAnswer("", for: field, offered: nil) == .wrong("名前：入力してください"))
    }
    #expect(FieldAnswer("", for: field, offered: nil) == .wrong("名前 is required"))
  }

  @Test("Bounds and counts are part of the sentence in the language")
  func boundsAreTranslated() {
    let german = Self.german(["must be a whole number": "muss eine ganze Zahl sein"])
    let schema = Schema.object([Field("age", .integer(title: "Alter", range: 0...150))])
    #expect(schema.check(["age": "x"]) == ["age": "must be a whole number"])
    #expect(Translation.$current.withValue(german) { schema.check(["age": "x"]) } == ["age": "muss eine ganze Zahl sein"])
    #expect(schema.check(["age": 151]) == ["age": "must be 0 to 150"])
  }

  @Test("Yes and no are understood in English and in the language")
  func yesAndNoAreUnderstood() {
    let german = Self.german(["yes": "ja", "no": "nein"])
    #expect(Translation.$current.withValue(german) { YesOrNo.word(for: true) } == "ja")
    #expect(YesOrNo.value(of: "Yes") == true && YesOrNo.value(of: "ja") == nil)
  }

  @Test(
    "Numbers are read as the language writes them",
    arguments: [("3,5", 3.5), ("3.5", 3.5), ("1.500", 1500), ("1.500,25", 1500.25), ("-0,5", -0.5), ("12", 12)])
  func numbersAreRead(typed: String, value: Double) {
    #expect(Self.inGerman { FieldText.value(of: typed, in: .number(title: "Zahl")) }.number == value)
  }

  @Test("Numbers are written as the language writes them, and as in JSON without one")
  func numbersAreWritten() {
    let number = JSONValue(3.5)
    #expect(FieldText.text(of: number, in: .number(title: "Number")) == "3.5")
    #expect(Self.inGerman { FieldText.text(of: number, in: .number(title: "Zahl")) } == "3,5")
    #expect(DecimalNumber.text(of: 9999) == "9999" && DecimalNumber.text(of: -1_234_567) == "-1,234,567")
    #expect(Self.inGerman { DecimalNumber.text(of: 12_345) } == "12.345")
    #expect(FieldText.value(of: "1,5", in: .number(title: "Number")) == "1,5")
  }

  private static func inGerman<Result>(_ body: () -> Result) -> Result {
    Translation.$current.withValue(NumberSigns.german, operation: body)
  }
}

extension LanguageTag {
  fileprivate static var german: LanguageTag { (try? LanguageTag("de")) ?? .english }
}

/// A catalogue with the signs in German numbers, which have a context: as msgfmt compiles it.
private enum NumberSigns {
  static let german: Translations.Language? = {
    let entries = [
      ("", "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"),
      ("decimal separator\u{4}.", ","), ("digit grouping\u{4},", "."),
    ]
    // Source: GNU gettext manual, "The Format of GNU MO Files".
    var (tables, strings) = ([UInt32](), [UInt8]())
    let start = 28 + entries.count * 16
    for texts in [entries.map(\.0), entries.map(\.1)] {
      for text in texts {
        tables += [UInt32(text.utf8.count), UInt32(start + strings.count)]
        strings += Array(text.utf8) + [0]
      }
    }
    let header: [UInt32] = [0x9504_12de, 0, UInt32(entries.count), 28, UInt32(28 + entries.count * 8), 0, 0]
    let bytes = (header + tables).flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } } + strings
    return (try? MessageCatalogue(bytes: bytes)).map { Translations.Language(.german, catalogues: [$0]) }
  }()
}
