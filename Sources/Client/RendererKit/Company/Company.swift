import CoordinatorClient
import CoordinatorKit
import Languages

/// The other people who have a flow tree open, and the one who is typing.
public struct Company: Sendable, Hashable {
  /// The time after the last change of a draft during which its author counts as typing.
  private static let typingTime = Duration.seconds(4)

  /// The unique name of this renderer's own connection.
  private let own: String?
  /// The other renderers.
  public private(set) var others: [Participant] = []
  /// Whether the attached renderers are known.
  private var isKnown = false
  private var typist: String?
  /// The time until which the typist is shown; nil before the typist was shown first.
  private var typingEnd: Timestamp?

  /// Creates a company without other people.
  ///
  /// - Parameter own: unique name of this renderer's connection.
  public init(own: String?) { self.own = own }

  /// Updates the attached renderers.
  ///
  /// - Parameter participants: all renderers, including this one.
  /// - Returns: the names of the people who have joined since the last call; none at the first call.
  @discardableResult
  public mutating func take(_ participants: [Participant]) -> [String] {
    let before = isKnown ? titles : nil
    isKnown = true
    others = participants.filter { $0.client != own }
    return before.map { before in titles.filter { !before.contains($0) } } ?? []
  }

  /// Records that a participant is typing. The typing time begins when this is shown.
  public mutating func typing(_ participant: Participant) { (typist, typingEnd) = (participant.title, nil) }

  /// Removes the typist, for example after the screen was answered.
  public mutating func stopTyping() { (typist, typingEnd) = (nil, nil) }

  /// The names of all other people.
  public var titles: [String] { others.flatMap(\.titles) }

  /// Returns the sentence about the other people: the typist, or else those who are present; nil if there are none.
  public mutating func sentence(at now: Timestamp) -> String? {
    if let typist {
      let end = typingEnd ?? now + Self.typingTime
      typingEnd = end
      if end > now { return Text("Typing: {name}", ["name": typist]).string }
      stopTyping()
    }
    return Self.sentence(of: titles)
  }

  /// Returns the time in milliseconds until the sentence changes without an event; nil if it does not change.
  public func nextChange(after now: Timestamp) -> Int? {
    typingEnd.map { $0 > now ? Int(clamping: ($0.microseconds - now.microseconds) / 1000) + 1 : 1 }
  }

  /// Returns the sentence for a person who has joined.
  public static func joined(_ name: String) -> String { Text("{name} has joined.", ["name": name]).string }

  /// Returns the sentence for a person who has left.
  public static func left(_ name: String) -> String { Text("{name} has left.", ["name": name]).string }

  /// Returns the sentence about the people who are present; nil if there are none.
  public static func sentence(of titles: [String]) -> String? {
    switch titles.count {
    case 0: nil
    case 1...3: Text("Also here: {names}", ["names": titles.joined(separator: ", ")]).string
    default: Text(one: "Also here: {count} person", other: "Also here: {count} people", count: titles.count).string
    }
  }
}
