import CoordinatorAnswers
import Testing

@Suite("The book of answers", .timeLimit(.minutes(5)))
struct AnswerBookTests {
  private func book(_ yaml: String) throws -> AnswerBook { AnswerBook(try AnswersFile(yaml: "answers:\n" + yaml)) }

  private func place(_ screen: String, in coordinator: String = "/pets_1", _ flows: String...) -> AnswerBook.Place {
    AnswerBook.Place(flows: flows.isEmpty ? ["pets"] : flows, coordinator: coordinator, screen: screen)
  }

  /// Uses an answer and returns it, or the key of the missing one.
  private func take(_ book: inout AnswerBook, _ place: AnswerBook.Place) -> String {
    do {
      let entry = try book.answer(at: place)
      book.use(entry)
      return if case .action(let id) = entry.answer { id } else { "\(entry.answer)" }
    } catch {
      return "no \(error.key)"
    }
  }

  @Test("An answer is used once, and those of a list in order")
  func answersAreUsedOnceInOrder() throws {
    var book = try book("  pets: {home: [a, b], one: c}")
    #expect((0..<3).map { _ in take(&book, place("home")) } == ["a", "b", "no answers: pets: home: #3"])
    #expect((0..<2).map { _ in take(&book, place("one")) } == ["c", "no answers: pets: one: #2"])
    #expect(take(&book, place("other")) == "no answers: pets: other")
    #expect(book.unused.isEmpty)
  }

  @Test("A repeated answer never runs out")
  func repeatedAnswerNeverRunsOut() throws {
    var book = try book("  pets: {home: {repeat: a}}")
    for _ in 0..<5 { #expect(take(&book, place("home")) == "a") }
    #expect(book.repetitions(of: try book.answer(at: place("home"))) == 5)
  }

  @Test("Each coordinator has its own answers if the file lists them")
  func listedCoordinatorsHaveTheirOwnAnswers() throws {
    var book = try book("  visit: [{type: a, level: b}, {type: c}]")
    #expect(take(&book, place("type", in: "/1", "pets", "visit")) == "a")
    #expect(take(&book, place("type", in: "/2", "pets", "visit")) == "c")
    #expect(take(&book, place("level", in: "/1", "pets", "visit")) == "b")
    #expect(take(&book, place("level", in: "/2", "pets", "visit")) == "no answers: visit: #2: level")
    #expect(take(&book, place("type", in: "/3", "pets", "visit")) == "no answers: visit: #3: type")
  }

  @Test("The more specific name takes precedence, and the other one is the fallback")
  func moreSpecificNameTakesPrecedence() throws {
    var book = try book("  visit: {type: any}\n  pets/visit: {type: own}")
    #expect(take(&book, place("type", in: "/1", "pets", "visit")) == "own")
    #expect(take(&book, place("type", in: "/1", "pets", "visit")) == "any")
    #expect(take(&book, place("type", in: "/1", "zoo", "visit")) == "no answers: visit: type: #2")
    #expect(take(&book, place("type", in: "/1", "pets", "visit")) == "no answers: pets/visit: type: #2")
  }

  @Test("An unknown answer is missing until it is given by hand")
  func unknownAnswerIsMissingUntilItIsSkipped() throws {
    var book = try book("  pets: {home: [~, b]}")
    #expect(take(&book, place("home")) == "no answers: pets: home: #1")
    book.skipUnknown(at: place("home"))
    book.skipUnknown(at: place("home"))
    #expect(take(&book, place("home")) == "b")
  }

  @Test("Unused answers are listed")
  func unusedAnswersAreListed() throws {
    var book = try book("  pets: {home: [a, b, ~], one: c}\n  visit: [{type: d}, {}]")
    _ = take(&book, place("home"))
    #expect(book.unused.map(\.description) == ["answers: pets: home: #2", "answers: pets: one", "answers: visit: #1: type"])
  }
}
