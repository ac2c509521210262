import CoordinatorClient
import CoordinatorKit
import Glibc
import Languages
import Platform

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

extension Participant {
  /// The maximum length of a name, in characters. Limited because the name comes from another program.
  private static let longestName = 48

  /// The names of the people at this renderer, for other people: one for most kinds, none for a renderer that only observes.
  public var titles: [String] {
    if let people { return people.map(Self.shortened) }
    switch kind {
    case "terminal":
      return [name.isEmpty ? Text("a terminal").string : Text("terminal ({name})", ["name": Self.shortened(name)]).string]
    case "web": return [name.isEmpty ? Text("a browser").string : Self.shortened(name)]
    case "watch", "recorder", "answers": return []
    default: return [Self.shortened(name.isEmpty ? kind : name)].filter { !$0.isEmpty }
    }
  }

  /// The name of the person who types or answers at this renderer, as far as it is known.
  public var title: String {
    let titles = titles
    return titles.count == 1 ? titles[0] : kind == "web" ? Text("a browser").string : Text("another place").string
  }

  private static func shortened(_ name: String) -> String { String(name.printable.prefix(longestName)) }
}

/// The remark beside a field in which another person has typed.
public enum DraftMark: Sendable, Hashable {
  /// The field contains text that was typed in another place; nil if the place is unknown.
  case typed(in: String?)
  /// The field contains text that was typed before this renderer was attached.
  case typedBefore
  /// Another place contains a different text for the field.
  case differs(in: String?, text: String)

  /// The words of the remark.
  public var text: String {
    switch self {
    case .typed(let place?): Text("Typed in another place: {place}", ["place": place]).string
    case .typed(nil): Text("Typed in another place").string
    case .typedBefore: Text("Typed before this window was opened").string
    case .differs(let place?, let text):
      Text("Typed in another place ({place}) instead: {text}", ["place": place, "text": text]).string
    case .differs(nil, let text): Text("Typed in another place instead: {text}", ["text": text]).string
    }
  }
}

/// The name that distinguishes a terminal from others that show the same flow.
public enum TerminalName {
  /// The maximum length of each part, in characters.
  private static let longestPart = 24

  /// Returns the terminal and the user of this process: "pts/3, anna". Empty if neither is known.
  public static var current: String {
    name(terminal: terminal(of: STDIN_FILENO) ?? terminal(of: STDOUT_FILENO), user: user(getuid()))
  }

  /// Builds a name from the path of a terminal's device and a user's name.
  static func name(terminal: String?, user: String?) -> String {
    [terminal.map { path in path.bytes.dropping(prefix: "/dev/").map { String($0) } ?? path }, user].compactMap { part in
      part.map { String($0.printable.prefix(longestPart)) }.flatMap { $0.isEmpty ? nil : $0 }
    }.joined(separator: ", ")
  }

  private static func terminal(of descriptor: Int32) -> String? {
    var path = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &path, path.count) == 0 else { return nil }
    return text(path)
  }

  private static func user(_ id: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.pw_name else { return nil }
    return String(cString: name)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The unsent text of a user on a screen that another client has answered. Contains no secrets.
public struct UnsentText: Sendable, Hashable {
  /// The titles of the fields with the text of each, in the order of the form.
  public private(set) var entries: [Entry] = []

  /// A field with its text.
  public struct Entry: Sendable, Hashable {
    /// The title of the field.
    public let title: String
    /// The text.
    public let text: String
  }

  /// Collects the typed text; nil if there is none.
  ///
  /// - Parameters:
  ///   - values: typed values by field, as in a draft.
  ///   - fields: fields of the form.
  public init?(_ values: [String: JSONValue], of fields: [Field]) {
    for field in fields where !field.schema.isSecret {
      guard let value = values[field.name] else { continue }
      let text = value.string ?? FieldText.text(of: value, in: field.schema)
      if !text.trimmed.isEmpty { entries.append(Entry(title: FieldText.title(of: field), text: text)) }
    }
    if entries.isEmpty { return nil }
  }

  /// The text in one line.
  public var sentence: String {
    Text("Your text was not sent: {text}", ["text": entries.map(\.text.printable).joined(separator: "; ")]).string
  }

  /// The texts with the titles of their fields, one on each line.
  public var lines: [String] {
    [Text("Your text was not sent:").string] + entries.map { "  \($0.title.printable): \($0.text.printable)" }
  }
}
