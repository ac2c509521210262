import CoordinatorClient
import CoordinatorKit
import Languages

/// Who else has a flow tree open, and who is typing.
public struct Company: Sendable, Hashable {
  /// How long somebody is said to be typing after the last change of a draft.
  private static let typingTime = Duration.seconds(4)

  /// The unique name of this renderer's own connection.
  private let own: String?
  /// The other renderers.
  public private(set) var others: [Participant] = []
  /// Whether it is known who is there.
  private var isKnown = false
  private var typist: String?
  /// The time until which somebody is said to be typing; nil before it was shown.
  private var typingEnd: Timestamp?

  /// Creates a company in which nobody else is there.
  ///
  /// - Parameter own: unique name of this renderer's connection.
  public init(own: String?) { self.own = own }

  /// Takes over who is attached.
  ///
  /// - Parameter participants: all renderers, including this one.
  /// - Returns: the names of the people who have come since the last time; none at the first time, when everybody was there
  ///   before.
  @discardableResult
  public mutating func take(_ participants: [Participant]) -> [String] {
    let before = isKnown ? titles : nil
    isKnown = true
    others = participants.filter { $0.client != own }
    return before.map { before in titles.filter { !before.contains($0) } } ?? []
  }

  /// Notes that somebody is typing, from when it is shown next.
  public mutating func typing(_ participant: Participant) { (typist, typingEnd) = (participant.title, nil) }

  /// Forgets who is typing, for example after the screen was answered.
  public mutating func stopTyping() { (typist, typingEnd) = (nil, nil) }

  /// The names of all other people.
  public var titles: [String] { others.flatMap(\.titles) }

  /// Returns what to show of the others: who is typing, else who is there; nil if nobody is.
  public mutating func sentence(at now: Timestamp) -> String? {
    if let typist {
      let end = typingEnd ?? now + Self.typingTime
      typingEnd = end
      if end > now { return Text("Typing: {name}", ["name": typist]).string }
      stopTyping()
    }
    return Self.sentence(of: titles)
  }

  /// The time in milliseconds until the sentence changes by itself; nil if it does not.
  public func nextChange(after now: Timestamp) -> Int? {
    typingEnd.map { $0 > now ? Int(clamping: ($0.microseconds - now.microseconds) / 1000) + 1 : 1 }
  }

  /// What to say when somebody has come.
  public static func joined(_ name: String) -> String { Text("{name} has joined.", ["name": name]).string }

  /// What to say when somebody has left.
  public static func left(_ name: String) -> String { Text("{name} has left.", ["name": name]).string }

  /// What to show of people who are there; nil if nobody is.
  public static func sentence(of titles: [String]) -> String? {
    switch titles.count {
    case 0: nil
    case 1...3: Text("Also here: {names}", ["names": titles.joined(separator: ", ")]).string
    default: Text(one: "Also here: {count} person", other: "Also here: {count} people", count: titles.count).string
    }
  }
}
