import Languages
import Testing

@Suite("Catalogues of translations", .timeLimit(.minutes(1)))
struct MessageCatalogueTests {
  static let russian = "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;"
  static let header = """
    Project-Id-Version: sample
    Content-Type:  text/plain; charset=utf-8
    Plural-Forms: \(russian)
    X-Language-Name: русский

    """

  @Test("Both byte orders and both major revisions are read", arguments: [false, true], [0, 1, 0x1_0000, 0x1_0001] as [UInt32])
  func byteOrdersAreRead(isBigEndian: Bool, revision: UInt32) throws {
    var writer = CatalogueWriter(
      header: Self.header, ["Log in": "Войти", "verb\u{4}Open": "Открыть", "day\0days": "день\0дня\0дней"])
    writer.isBigEndian = isBigEndian
    writer.revision = revision
    let catalogue = try writer.catalogue()
    #expect(catalogue.count == 3)
    #expect(catalogue.translation(of: "Log in") == "Войти")
    #expect(catalogue.translation(of: "Open") == nil)
    #expect(catalogue.translation(of: "Open", context: "verb") == "Открыть")
    #expect(catalogue.translation(of: "Open", context: "noun") == nil)
    #expect([1, 2, 5, 21].map { catalogue.translation(of: "day", count: $0) } == ["день", "дня", "дней", "день"])
    #expect(catalogue.headerField("X-Language-Name") == "русский")
    #expect(catalogue.headerField("content-type") == "text/plain; charset=utf-8")
    #expect(catalogue.pluralRule.formCount == 3)
  }

  @Test("A text with plural forms has its first form without a number, and one without has its only form with a number")
  func formsAndNumbersMayDiffer() throws {
    let catalogue = try CatalogueWriter(["day\0days": "Tag\0Tage", "hour": "Stunde"]).catalogue()
    #expect(catalogue.translation(of: "day") == "Tag")
    #expect(catalogue.translation(of: "hour", count: 5) == "Stunde")
  }

  @Test("A catalogue with fewer forms than its rule gives the last one")
  func missingFormIsTheLast() throws {
    let catalogue = try CatalogueWriter(header: Self.header, ["day\0days": "день\0дня"]).catalogue()
    #expect(catalogue.translation(of: "day", count: 5) == "дня")
  }

  @Test("An empty translation does not count, and the header is not the translation of the empty text")
  func emptyTranslationIsNone() throws {
    let catalogue = try CatalogueWriter(["a": "", "b\0c": "\0", "\u{4}": "d"]).catalogue()
    #expect(catalogue.count == 0)
    #expect(catalogue.translation(of: "a") == nil)
    #expect(catalogue.translation(of: "") == nil)
  }

  @Test("An empty context is another one than none")
  func emptyContextIsOne() throws {
    let catalogue = try CatalogueWriter(["\u{4}a": "b"]).catalogue()
    #expect(catalogue.translation(of: "a") == nil)
    #expect(catalogue.translation(of: "a", context: "") == "b")
  }

  @Test("A catalogue without a header has the plural forms of English")
  func headerMayBeMissing() throws {
    var writer = CatalogueWriter(["day\0days": "Tag\0Tage"])
    writer.messages.removeFirst()
    #expect(try writer.catalogue().translation(of: "day", count: 2) == "Tage")
  }

  @Test(
    "The character set is UTF-8 or ASCII",
    arguments: ["UTF-8", "utf8", "ASCII", "US-ASCII", "ANSI_X3.4-1968", "utf-8 ; format=flowed"])
  func characterSetIsSupported(name: String) throws {
    _ = try CatalogueWriter(header: "Content-Type: text/plain; charset=\(name)\n", ["a": "b"]).catalogue()
  }

  @Test("Another character set is refused", arguments: ["ISO-8859-1", "CHARSET", ""])
  func otherCharacterSetIsRefused(name: String) {
    expect(.characterSet(name), CatalogueWriter(header: "Content-Type: text/plain; charset=\(name)\n", ["a": "b"]).bytes)
  }

  @Test("A header whose lines end with CR LF is read field by field, and its character set is checked")
  func headerMayHaveCarriageReturns() throws {
    let header = "Project-Id-Version: sample\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nX-Language-Name: русский\r\n"
    expect(.characterSet("ISO-8859-1"), CatalogueWriter(header: header, ["a": "b"]).bytes)
    let catalogue = try CatalogueWriter(header: header.replacing("ISO-8859-1", with: "UTF-8"), ["a": "b"]).catalogue()
    #expect(catalogue.headerField("Project-Id-Version") == "sample")
    #expect(catalogue.headerField("X-Language-Name") == "русский")
  }

  @Test("The error of a header in another character set names the character set")
  func headerMayBeInOtherCharacterSet() throws {
    var bytes = CatalogueWriter(header: "Last-Translator: J?rg\nContent-Type: text/plain; charset=ISO-8859-1\n", [:]).bytes
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
    bytes[place] = 0xF6
    expect(.characterSet("ISO-8859-1"), bytes)
  }

  @Test("A file of another kind, or of an unknown revision, is refused")
  func otherFilesAreRefused() {
    expect(.notCatalogue, [])
    expect(.notCatalogue, Array("msgid \"\"\nmsgstr \"\"\n".utf8))
    var writer = CatalogueWriter(["a": "b"])
    writer.revision = 0x2_0000
    expect(.unknownRevision(2), writer.bytes)
  }

  @Test("An unusable rule for plurals is refused")
  func badPluralRuleIsRefused() {
    let bytes = CatalogueWriter(header: "Plural-Forms: nplurals=2; plural=n>;\n", [:]).bytes
    let error = #expect(throws: MessageCatalogueError.self) { try MessageCatalogue(bytes: bytes, file: "/x/de.mo") }
    #expect(error?.description == "/x/de.mo: Plural-Forms, at 21: expected 'n', a number, or an operator")
  }

  @Test("A string that is not UTF-8 is refused, with the number of its message")
  func otherEncodingIsRefused() throws {
    var bytes = CatalogueWriter(["a": "zz"]).bytes
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "z")))
    bytes[place] = 0xFF
    expect(.notUTF8(message: 1), bytes)
  }

  private func expect(_ reason: MessageCatalogueError.Reason, _ bytes: [UInt8]) {
    let error = #expect(throws: MessageCatalogueError.self) { try MessageCatalogue(bytes: bytes) }
    #expect(error?.reason == reason)
  }
}
