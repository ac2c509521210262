import CoordinatorClient
import CoordinatorKit
import RendererKit

/// Who has a flow tree open, in browsers of this server and elsewhere, and who has typed which draft.
struct TreePeople: Sendable {
  /// Whoever has typed something.
  enum Author: Sendable, Hashable {
    case visitor(Visitor)
    /// In another renderer, by its name; nil if it is not known which one.
    case elsewhere(String?)

    var name: String? {
      switch self {
      case .visitor(let visitor): visitor.name
      case .elsewhere(let name): name
      }
    }
  }

  /// The maximum number of people that a renderer may name.
  private static let mostPeople = 32

  /// The renderers besides this server.
  private var others: [Participant] = []
  /// The browsers that listen, by the number of their connection.
  private var visitors: [Int: Visitor] = [:]
  /// Who has typed what is in the draft of a screen, by screen and field.
  private var authors: [UInt64: [String: Author]] = [:]
  /// Who typed last in another renderer, by screen.
  private var typists: [UInt64: String] = [:]

  // MARK: Who is there

  /// Takes over who is attached.
  ///
  /// - Parameters:
  ///   - participants: all renderers.
  ///   - own: unique name of this server's connection.
  mutating func take(_ participants: [Participant], own: String?) { others = participants.filter { $0.client != own } }

  /// Adds a browser that listens with a connection.
  mutating func add(_ visitor: Visitor, as listener: Int) { visitors[listener] = visitor }

  /// Removes the browser of a connection.
  mutating func remove(_ listener: Int) { visitors[listener] = nil }

  /// The browser of a connection.
  func visitor(_ listener: Int) -> Visitor? { visitors[listener] }

  /// The names of the browsers, each once, in the order in which they came.
  var names: [String] { Array(distinctVisitors.map(\.name).prefix(Self.mostPeople)) }

  private var distinctVisitors: [Visitor] {
    var known: Set<Token> = []
    return visitors.sorted { $0.key < $1.key }.map(\.value).filter { known.insert($0.id).inserted }
  }

  /// What a browser shows of the others; empty if nobody is there.
  func sentence(for id: Token?) -> String {
    let titles = others.flatMap(\.titles) + distinctVisitors.filter { $0.id != id }.map(\.name)
    return Company.sentence(of: titles) ?? ""
  }

  // MARK: Who has typed what

  /// Notes who types in another renderer. Its draft follows.
  mutating func typing(_ participant: Participant, on screen: UInt64) { typists[screen] = participant.title }

  /// Notes the author of what differs between two drafts.
  ///
  /// - Parameters:
  ///   - before: previous draft.
  ///   - draft: draft that replaces it.
  ///   - screen: id of the screen.
  ///   - visitor: browser that saved the draft; nil if it was saved elsewhere.
  mutating func typed(instead before: [String: JSONValue], _ draft: [String: JSONValue], on screen: UInt64, by visitor: Visitor?)
  {
    let author = visitor.map(Author.visitor) ?? .elsewhere(typists[screen])
    for name in Set(before.keys).union(draft.keys) where before[name] != draft[name] {
      authors[screen, default: [:]][name] = draft[name] == nil ? nil : author
    }
  }

  /// Forgets the authors on screens that are gone.
  mutating func keep(onlyScreens screens: Set<UInt64>) {
    authors = authors.filter { screens.contains($0.key) }
    typists = typists.filter { screens.contains($0.key) }
  }

  /// Those who have typed what is in the fields of a screen, except for the browser itself.
  func authors(on screen: UInt64, for id: Token?) -> [String: Author] {
    (authors[screen] ?? [:]).filter { _, author in
      if case .visitor(let visitor) = author { visitor.id != id } else { true }
    }
  }
}
