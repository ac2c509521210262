import CoordinatorClient
import Testing

@testable import CoordinatorWeb

@Suite("People at a flow tree", .timeLimit(.minutes(5)))
struct TreePeopleTests {
  private let phone = Visitor(id: Token(), name: "Safari on iPhone")
  private let desk = Visitor(id: Token(), name: "Firefox on Linux")

  @Test("A browser sees all others once, and not itself")
  func browserSeesOthers() {
    var people = TreePeople()
    people.add(phone, as: 1)
    people.add(desk, as: 2)
    people.add(phone, as: 3)
    people.take(
      [Participant(client: ":1.1", kind: "terminal", name: "pts/3, anna"), Participant(client: ":1.2", kind: "web", people: [])],
      own: ":1.2")
    #expect(people.names == ["Safari on iPhone", "Firefox on Linux"])
    #expect(people.sentence(for: desk.id) == "Also here: terminal (pts/3, anna), Safari on iPhone")
    people.remove(1)
    people.remove(3)
    people.take([], own: ":1.2")
    #expect(people.sentence(for: desk.id).isEmpty)
    #expect(people.names == ["Firefox on Linux"])
  }

  @Test("What others have typed has their name, and what a browser has typed itself has none")
  func othersDraftsHaveNames() {
    var people = TreePeople()
    people.typed(instead: [:], ["name": "Ann"], on: 1, by: phone)
    #expect(people.authors(on: 1, for: desk.id) == ["name": .visitor(phone)])
    #expect(people.authors(on: 1, for: phone.id).isEmpty)
    people.typing(Participant(client: ":1.1", kind: "terminal", name: "pts/3"), on: 1)
    people.typed(instead: ["name": "Ann"], ["name": "Ann", "age": 7], on: 1, by: nil)
    #expect(people.authors(on: 1, for: phone.id) == ["age": .elsewhere("terminal (pts/3)")])
    people.typed(instead: ["name": "Ann", "age": 7], [:], on: 1, by: nil)
    #expect(people.authors(on: 1, for: desk.id).isEmpty)
  }
}
