import Foundation
import Languages
import Testing

@Suite("Names of languages", .timeLimit(.minutes(1)))
struct LanguageTagTests {
  @Test(
    "Names of locales and of BCP 47 are read, and written by BCP 47",
    arguments: [
      ("de", "de"), ("de_AT", "de-AT"), ("de-AT", "de-AT"), ("DE-at", "de-AT"), ("de_AT.UTF-8@euro", "de-AT"),
      ("pt_BR", "pt-BR"), ("zh_Hans_CN", "zh-Hans-CN"), ("zh-hant", "zh-Hant"), ("sr@latin", "sr-Latn"),
      ("sr_RS@latin", "sr-Latn-RS"), ("es_419", "es-419"), ("ca_ES.UTF-8@valencia", "ca-ES-valencia"), ("de-1996", "de-1996"),
      ("sl-rozaj-biske", "sl-rozaj-biske"), ("en-US-u-ca-gregory", "en-US"), ("ckb", "ckb"), ("C", "en"), ("POSIX", "en"),
      ("C.UTF-8", "en"), ("en@quot", "en"),
    ])
  func namesAreRead(name: String, tag: String) throws {
    #expect(try LanguageTag(name).bcp47 == tag)
  }

  @Test(
    "What does not name a language is refused, with the name in the error",
    arguments: [
      "", "d", "german", "de_", "_AT", "de__AT", "de_AT_", "de_A", "de_u", "d1", "de.", "de@", "ä", "de\u{0}", "de AT", "../de",
      "de/AT",
      "de_AT.UTF-8@", "zh-cmn", "locale.alias", "de-ABCD-EFGH", "de@a-b", String(repeating: "de-", count: 100) + "de",
    ])
  func otherNamesAreRefused(name: String) {
    #expect(throws: InvalidLanguageTag(name)) { try LanguageTag(name) }
  }

  @Test("The error of a long name is short")
  func errorIsShort() {
    #expect(InvalidLanguageTag(String(repeating: "x", count: 100_000)).description.count < 200)
  }

  @Test("The error of a name is short also if all of it is one character")
  func errorOfMarksIsShort() {
    #expect(InvalidLanguageTag("a" + String(repeating: "\u{301}", count: 100_000)).description.utf8.count < 300)
  }

  @Test(
    "A language falls back to what its readers understand",
    arguments: [
      ("de", ["de"]), ("de_AT", ["de-AT", "de"]), ("sr_Latn_RS", ["sr-Latn-RS", "sr-Latn", "sr-RS", "sr"]),
      ("ca_ES@valencia", ["ca-ES-valencia", "ca-valencia", "ca-ES", "ca"]), ("zh_TW", ["zh-TW", "zh-Hant", "zh"]),
      ("zh_Hans_CN", ["zh-Hans-CN", "zh-Hans", "zh-CN", "zh"]), ("zh_Hant", ["zh-Hant", "zh-TW", "zh"]), ("C", ["C"]),
    ])
  func languagesFallBack(name: String, expected: [String]) throws {
    #expect(try LanguageTag(name).fallbacks.map(\.description) == expected)
  }

  @Test("Languages are written from right to left by their script, or by the script that is usual for them")
  func directionFollowsScript() throws {
    for name in ["ar", "ar_EG", "he", "fa_IR", "ur", "yi", "az_Arab", "ks"] {
      #expect(try LanguageTag(name).isRightToLeft, "\(name)")
    }
    for name in ["de", "ja", "ks_Deva", "ar_Latn", "sr", "C"] { #expect(try !LanguageTag(name).isRightToLeft, "\(name)") }
  }

  @Test(
    "A tag is the same after it has been written and read",
    arguments: ["de", "zh_Hans_CN", "sr@latin", "en@quot", "C", "ca@valencia"])
  func tagsSurviveWriting(name: String) throws {
    let tag = try LanguageTag(name)
    #expect(try LanguageTag(tag.description) == tag)
    #expect(try JSONDecoder().decode([LanguageTag].self, from: JSONEncoder().encode([tag])) == [tag])
  }

  @Test("A stored string that does not name a language is refused")
  func storedNonsenseIsRefused() {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([LanguageTag].self, from: Data(#"["/"]"#.utf8)) }
  }
}

@Suite("The languages of the environment", .timeLimit(.minutes(1)))
struct LanguageEnvironmentTests {
  @Test(
    "Variables take precedence as they do for gettext",
    arguments: [
      ([:], []), (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "de", "LC_MESSAGES": "fr"], ["fr"]),
      (["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "it"], ["it"]), (["LANG": "de", "LC_ALL": ""], ["de"]),
      (["LANG": "de", "LANGUAGE": "sv:nb_NO:de"], ["sv", "nb-NO", "de"]), (["LANG": "de", "LANGUAGE": ""], ["de"]),
      (["LANGUAGE": "de"], []), (["LANG": "C", "LANGUAGE": "de"], []), (["LC_ALL": "POSIX", "LANGUAGE": "de"], []),
      (["LANG": "C.UTF-8"], []), (["LANG": "C.UTF-8", "LANGUAGE": "de"], ["de"]),
      (["LANG": "de", "LANGUAGE": "fr:C:de"], ["fr"]), (["LANG": "de", "LANGUAGE": ":/:fr::fr:"], ["fr"]), (["LANG": "?"], []),
    ] as [([String: String], [String])])
  func variablesTakePrecedence(variables: [String: String], expected: [String]) {
    #expect(LanguageTag.preferred { variables[$0] }.map(\.description) == expected)
  }
}
