import CoordinatorClient
import CoordinatorKit
import RendererKit

/// The people who have a flow tree open, in browsers of this server and in other renderers, and the authors of drafts.
struct TreePeople: Sendable {
  /// The author of a text.
  enum Author: Sendable, Hashable {
    case visitor(Visitor)
    /// A person in another renderer, by its name; nil if the renderer is not known.
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
  /// The authors of the text in the draft of a screen, by screen and field.
  private var authors: [UInt64: [String: Author]] = [:]
  /// The last person who typed in another renderer, by screen.
  private var typists: [UInt64: String] = [:]

  // MARK: Who is there

  /// Updates the attached renderers.
  ///
  /// - Parameters:
  ///   - participants: all renderers.
  ///   - own: unique name of this server's connection.
  mutating func take(_ participants: [Participant], own: String?) { others = participants.filter { $0.client != own } }

  /// Adds a browser that listens with a connection.
  mutating func add(_ visitor: Visitor, as listener: Int) { visitors[listener] = visitor }

  /// Removes the browser of a connection.
  mutating func remove(_ listener: Int) { visitors[listener] = nil }

  /// Returns the browser of a connection.
  func visitor(_ listener: Int) -> Visitor? { visitors[listener] }

  /// The names of the browsers, each once, in the order in which they connected.
  var names: [String] { Array(distinctVisitors.map(\.name).prefix(Self.mostPeople)) }

  private var distinctVisitors: [Visitor] {
    var known: Set<Token> = []
    return visitors.sorted { $0.key < $1.key }.map(\.value).filter { known.insert($0.id).inserted }
  }

  /// Returns the sentence about the other people for a browser; empty if there are none.
  func sentence(for id: Token?) -> String {
    let titles = others.flatMap(\.titles) + distinctVisitors.filter { $0.id != id }.map(\.name)
    return Company.sentence(of: titles) ?? ""
  }

  // MARK: Who has typed what

  /// Records the person who types in another renderer. Its draft follows.
  mutating func typing(_ participant: Participant, on screen: UInt64) { typists[screen] = participant.title }

  /// Records the author of the differences between two drafts.
  ///
  /// - Parameters:
  ///   - before: previous draft.
  ///   - draft: draft that replaces it.
  ///   - screen: id of the screen.
  ///   - visitor: browser that saved the draft; nil if another renderer saved it.
  mutating func typed(instead before: [String: JSONValue], _ draft: [String: JSONValue], on screen: UInt64, by visitor: Visitor?)
  {
    let author = visitor.map(Author.visitor) ?? .elsewhere(typists[screen])
    for name in Set(before.keys).union(draft.keys) where before[name] != draft[name] {
      authors[screen, default: [:]][name] = draft[name] == nil ? nil : author
    }
  }

  /// Removes the authors on screens that are gone.
  mutating func keep(onlyScreens screens: Set<UInt64>) {
    authors = authors.filter { screens.contains($0.key) }
    typists = typists.filter { screens.contains($0.key) }
  }

  /// Returns the authors of the text in the fields of a screen, except for the browser itself.
  func authors(on screen: UInt64, for id: Token?) -> [String: Author] {
    (authors[screen] ?? [:]).filter { _, author in
      if case .visitor(let visitor) = author { visitor.id != id } else { true }
    }
  }
}
