import Testing

@testable import Platform

@Suite("Reports of failures", .timeLimit(.minutes(1)))
struct ToldFailuresTests {
  @Test("The whole reason is reported once, even if a time or an address differs each time, and repetitions are counted")
  func counts() {
    let told = ToldFailures<String>()
    let tellings = (1...1000).map { number in
      told.add("visit.py: ValueError: <Shelf object at 0x7f\(number)a> is empty since 10:20:\(number) (visit.py:27)", of: "a")
    }
    #expect(tellings[0] == .first)
    #expect(tellings[9] == .again(10) && tellings[99] == .again(100) && tellings[999] == .again(1000))
    #expect(tellings.compactMap(\.self).count == 4)
  }

  @Test("Another kind, another line of the script and another coordinator are other failures")
  func others() {
    let told = ToldFailures<String>()
    for reason in ["ValueError: no (a.py:27)", "ValueError: no (a.py:40)", "KeyError: no (a.py:27)"] {
      #expect(told.add(reason, of: "a") == .first)
      #expect(told.add(reason, of: "b") == .first)
      #expect(told.add(reason, of: "a") == nil)
    }
  }

  @Test("A failure that recurs after a success is reported again")
  func goesOn() {
    let told = ToldFailures<String>()
    _ = told.add("no", of: "a")
    _ = told.add("no", of: "b")
    told.forget { $0 == "a" }
    #expect(told.add("no", of: "a") == .first)
    #expect(told.add("no", of: "b") == nil)
  }

  @Test("A reason that differs each time in its words does not fill the log, nor does memory grow with places")
  func floods() {
    let told = ToldFailures<Int>(maxPlaces: 4)
    let words = (0..<10_000).map { number in String(String(number).utf8.map { Character(Unicode.Scalar($0 + 49)) }) }
    #expect(words.compactMap { told.add($0, of: 1) }.count < 16)
    for place in 0..<1000 { _ = told.add("no", of: place) }
    #expect(told.add("no", of: 999) == nil)
  }
}
