import Languages
import Testing

@Suite("Texts", .timeLimit(.minutes(1)))
struct TextTests {
  @Test("A text without a language is its English original")
  func textWithoutLanguageIsItsOriginal() {
    let text: Text = "What is the visit for?"
    #expect(text.resolved(in: nil) == "What is the visit for?")
    #expect(text.key == "What is the visit for?")
    #expect(("" as Text).resolved(in: nil) == "")
  }

  @Test("Values are inserted for placeholders, also repeatedly and in any order")
  func valuesAreInserted() {
    let text = Text("{b}, {a} and {a}: {number}", ["a": "x", "b": "y".dropLast(0), "number": -7])
    #expect(text.resolved(in: nil) == "y, x and x: -7")
  }

  @Test("A value is inserted as it is, also one that looks like a placeholder")
  func valuesAreNotExpanded() {
    #expect(Text("{a}{b}", ["a": "{b}", "b": "{{"]).resolved(in: nil) == "{b}{{")
  }

  @Test(
    "A placeholder that has no value, and a brace that begins none, stay visible",
    arguments: [
      "{name}" as Text, "{", "}", "a { b", "a } b", "{}", "{ name }", "{1a}", "{na-me}", "{ä}", "{name", "{a}{", "{known",
    ])
  func unknownPlaceholdersStay(text: Text) throws {
    #expect(text.resolved(in: nil) == text.key)
  }

  @Test(
    "Doubled braces stand for single ones",
    arguments: [
      ("{{}}" as Text, "{}"), ("{{name}}", "{name}"), ("a{{b", "a{b"), ("{{{", "{{"), ("}}}", "}}"), ("ä{{ö}}ü", "ä{ö}ü"),
    ])
  func doubledBracesAreEscapes(text: Text, expected: String) {
    #expect(text.resolved(in: nil) == expected)
  }

  @Test("Braces around a placeholder can be escaped")
  func bracesAroundPlaceholderCanBeEscaped() {
    #expect(Text("{{{a}}}", ["a": 1]).resolved(in: nil) == "{1}")
  }

  @Test("A verbatim text is the same in every language, and its braces have no meaning")
  func verbatimTextIsUnchanged() throws {
    let german = try CatalogueWriter(["{{a}}": "falsch"]).language("de")
    #expect(Text(verbatim: "{{a}}").resolved(in: german) == "{{a}}")
    #expect(Text(verbatim: "{{a}}").key == nil)
  }

  @Test(
    "A plural without a translation follows the English rule", arguments: [(1, "1 visit"), (0, "0 visits"), (-1, "-1 visits")])
  func pluralFollowsEnglish(count: Int, expected: String) {
    #expect(Text(one: "{count} visit", other: "{count} visits", count: count).resolved(in: nil) == expected)
  }

  @Test("A given value named count overrides the number")
  func givenCountOverridesNumber() {
    #expect(Text(one: "{count} of it", other: "{count} of them", count: 2, ["count": "Two"]).resolved(in: nil) == "Two of them")
  }

  @Test("A text inside of a text is translated too")
  func nestedTextIsTranslated() throws {
    let german = try CatalogueWriter(["Step {step}: {title}": "{title} ist Schritt {step}", "Ship it!": "Raus damit!"])
      .language("de")
    let text = Text("Step {step}: {title}", ["step": 4, "title": "Ship it!" as Text])
    #expect(text.resolved(in: german) == "Raus damit! ist Schritt 4")
    #expect(text.resolved(in: nil) == "Step 4: Ship it!")
  }

  @Test("Equal texts are equal however they are created")
  func equalTextsAreEqual() {
    #expect(Text("a") == "a")
    #expect(Text("a", ["x": 1, "y": "z"]) == Text("a", ["y": "z", "x": 1]))
    #expect(Text("a", ["x": Text(verbatim: "y")]) == Text("a", ["x": "y"]))
    #expect(Text("a") != Text(verbatim: "a"))
    #expect(Text("a") != Text("a", context: "b"))
    #expect(Text("{count}", ["count": 1]) != Text(one: "{count}", other: "{count}", count: 1))
  }

  @Test("Of a repeated name of a value, the first counts, and nothing traps")
  func firstOfRepeatedValuesCounts() {
    #expect(Text("{a}", ["a": 1, "a": 2]).resolved(in: nil) == "1")
  }

  @Test("A string with interpolation is not a text or a key")
  func interpolationIsNoText() {
    #expect(!takesInterpolation(Text.self))
    #expect(!takesInterpolation(Text.Key.self))
    #expect(takesInterpolation(String.self))
  }

  private func takesInterpolation<Literal>(_ type: Literal.Type) -> Bool {
    type is any ExpressibleByStringInterpolation.Type
  }
}

@Suite("The current language", .timeLimit(.minutes(1)))
struct CurrentLanguageTests {
  @Test("A text is shown in the language that is current where it becomes a string")
  func textFollowsCurrentLanguage() throws {
    let text: Text = "Log in"
    let german = try CatalogueWriter(["Log in": "Anmelden"]).language("de")
    #expect(text.string == "Log in")
    Translation.$current.withValue(german) {
      #expect(text.string == "Anmelden")
      #expect("\(text)" == "Anmelden")
      Translation.$current.withValue(nil) { #expect(text.string == "Log in") }
    }
    #expect(text.string == "Log in")
  }

  @Test("Tasks in different languages do not disturb each other")
  func tasksHaveTheirOwnLanguage() async throws {
    let languages = try (0..<8).map { try CatalogueWriter(["Log in": "\($0)"]).language("de") }
    await withTaskGroup(of: (Int, String).self) { group in
      for (index, language) in languages.enumerated() {
        group.addTask {
          await Translation.$current.withValue(language) {
            await Task.yield()
            return (index, ("Log in" as Text).string)
          }
        }
      }
      for await (index, string) in group { #expect(string == "\(index)") }
    }
  }
}
