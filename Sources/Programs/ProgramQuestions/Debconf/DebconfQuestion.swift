import Platform

/// A question of debconf, as its lines describe it.
package struct DebconfQuestion: Sendable, Hashable {
  /// The name of the template: several questions of one block may have the same (trap T2).
  package let tag: String
  /// The type of the answer.
  package internal(set) var type = DebconfType.unknown
  /// The importance of the question.
  package internal(set) var priority = DebconfPriority.high
  /// The short description, in one line.
  package internal(set) var summary = ""
  /// The extended description.
  package internal(set) var details = ""
  /// The choices as users see them.
  package internal(set) var choices: [String] = []
  /// The choices in the language C, if the peer sends them: debconf then reads these as the answer.
  var plainChoices: [String] = []
  /// The value that debconf proposes; nil if it is empty, or a password.
  var proposal: String?
  /// The password that was set before. It is neither shown nor stored.
  var presentPassword: HiddenBytes?
  /// The answer to the same question earlier in this run (trap T11); never a password.
  var recalled: String?
  /// The place among the questions of the block with the same tag, counted from 1.
  package internal(set) var ordinal = 1

  init(tag: String) { self.tag = tag }

  /// The name of its field: the tag, followed by a number if an earlier question has the same tag.
  package var field: String { ordinal == 1 ? tag : "\(tag)#\(ordinal)" }

  /// The initial value: the last answer in this run, otherwise the value that debconf proposes.
  var initial: String? { recalled ?? proposal }

  /// The choices with their ids.
  var options: [ForeignChoice] {
    let values = plainChoices.count == choices.count ? plainChoices : choices
    return ForeignChoice.list(
      zip(choices, values).map { ($0, $1) },
      disabled: { value in
        type == .multiselect && !DebconfChoices.isAnswerable(value)
          ? "debconf cannot read this choice, because there is a comma in it" : nil
      })
  }

  /// The ids of the initial choices.
  var initialOptions: [String] {
    guard let initial else { return [] }
    let options = options
    if type == .select { return options.first { $0.value == initial }.map { [$0.id] } ?? [] }
    let selected = DebconfChoices.selected(in: initial, of: options.map(\.value))
    return options.filter { $0.disabled == nil && selected.contains($0.value) }.map(\.id)
  }

  /// Whether an empty field keeps a password that was set before, as in debconf's own frontends.
  var keepsPassword: Bool { presentPassword?.bytes.isEmpty == false }

  /// Hides the proposed value if it is a password.
  mutating func hidePassword() {
    guard type == .password, let proposal else { return }
    (presentPassword, self.proposal) = (HiddenBytes(bytes: Array(proposal.utf8)), nil)
  }

  /// Takes a line of `DATA`.
  mutating func take(field: String, text: String) {
    switch field {
    case "type": type = DebconfType(rawValue: text) ?? .unknown
    case "description": summary = Self.unescaped(text)
    case "extended_description": details = Self.unescaped(text)
    case "choices": choices = DebconfChoices.split(Self.unescaped(text))
    case "choices-c": plainChoices = DebconfChoices.split(Self.unescaped(text))
    default: break
    }
  }

  /// Returns a text with its line breaks, which are the only characters that debconf escapes: a literal backslash followed by
  /// "n" cannot be distinguished from an escape.
  private static func unescaped(_ text: String) -> String {
    text.bytes.replacing("\\n", with: "\n")
  }
}

/// The value that debconf reads for one question.
struct DebconfValue: Sendable, Hashable {
  /// The tag of the question.
  let tag: String
  /// The bytes after the code. A password is in memory only until debconf has read it.
  var bytes: [UInt8] { hidden.bytes }
  private let hidden: HiddenBytes

  /// Creates a value that fits on one line. debconf cannot read line breaks, and drops leading blanks (trap T9).
  init(_ bytes: some Sequence<UInt8>, of question: DebconfQuestion) {
    tag = question.tag
    let line = bytes.map { $0 == 0x0A || $0 == 0x0D || $0 == 0 ? 0x20 : $0 }
    hidden = HiddenBytes(bytes: Array(line.drop { $0 == 0x20 || $0 == 0x09 }))
  }
}

/// Bytes that must not be printed by mistake: a password that another program has set before.
struct HiddenBytes: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  var description: String { "••••••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The answers of one run of a program, by question: debconf asks some questions twice, before and while a package is
/// configured, and again after Back (trap T11).
///
/// Answers are proposed again, but never given without the user. Passwords are not stored.
package struct DebconfMemory: Sendable, Hashable {
  private struct Key: Sendable, Hashable {
    let tag: String
    let ordinal: Int
    let type: DebconfType
    let summary: String
    let details: String

    init(_ question: DebconfQuestion) {
      (tag, ordinal, type) = (question.tag, question.ordinal, question.type)
      (summary, details) = (question.summary, question.details)
    }
  }

  private var values: [Key: String] = [:]

  /// Creates a memory without answers.
  package init() {}

  /// The last answer to a question, as debconf read it; nil if there is none.
  package func value(for question: DebconfQuestion) -> String? { values[Key(question)] }

  mutating func remember(_ values: [DebconfValue], for block: DebconfBlock) {
    for (question, value) in zip(block.questions, values) where question.type != .password && !question.type.isShownOnly {
      self.values[Key(question)] = String(decoding: value.bytes, as: UTF8.self)
    }
  }
}

/// The type of a question of debconf; the raw values are debconf's words.
package enum DebconfType: String, Sendable, Hashable {
  case string, boolean, select, multiselect, password, note, text, error, title
  /// An unknown type: its texts are shown, and no value is asked for.
  case unknown

  /// Whether the question takes no value.
  package var isShownOnly: Bool {
    switch self {
    case .note, .text, .error, .title, .unknown: true
    case .string, .boolean, .select, .multiselect, .password: false
    }
  }
}

/// A line that debconf's passthrough frontend sends.
enum DebconfCommand: Sendable, Hashable {
  case capability([String])
  case title(String)
  case setTitle(tag: String)
  case data(tag: String, field: String, text: String)
  case set(tag: String, value: String)
  case substitute(tag: String)
  case input(priority: DebconfPriority, tag: String)
  case go
  case get(tag: String)
  case startProgress(minimum: Int, maximum: Int, tag: String)
  case setProgress(Int)
  case stepProgress(Int)
  case describeProgress(tag: String)
  case stopProgress
  /// Any other command. It is answered with success, so that newer commands work.
  case other

  /// Reads a line. The number of words depends on the command: the last word keeps its blanks.
  init(_ line: String) {
    let words = line.bytes.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = words.count > 1 ? words[1] : ""
    self = Self.read(words.first ?? "", rest) ?? .other
  }

  private static func read(_ name: Substring, _ rest: Substring) -> DebconfCommand? {
    let pair = split(rest, 2)
    switch name {
    case "CAPB": return .capability(rest.bytes.split(separator: " ").map(String.init))
    case "TITLE": return .title(String(rest))
    case "SETTITLE": return .setTitle(tag: String(rest))
    case "DATA":
      let words = split(rest, 3)
      guard words.count >= 2 else { return nil }
      return .data(tag: words[0], field: words[1], text: words.count > 2 ? words[2] : "")
    case "SET": return pair.first.map { .set(tag: $0, value: pair.count > 1 ? pair[1] : "") }
    case "SUBST": return pair.first.map { .substitute(tag: $0) }
    case "INPUT":
      guard pair.count == 2, let priority = DebconfPriority(rawValue: pair[0]) else { return nil }
      return .input(priority: priority, tag: pair[1])
    case "GO": return .go
    case "GET": return .get(tag: String(rest))
    case "PROGRESS": return progress(split(rest, 2))
    default: return nil
    }
  }

  private static func progress(_ words: [String]) -> DebconfCommand? {
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "START":
      let words = split(Substring(rest), 3)
      guard words.count == 3, let minimum = Int(words[0]), let maximum = Int(words[1]) else { return nil }
      return .startProgress(minimum: minimum, maximum: maximum, tag: words[2])
    case "SET": return Int(rest).map { .setProgress($0) }
    case "STEP": return Int(rest).map { .stepProgress($0) }
    case "INFO": return .describeProgress(tag: rest)
    case "STOP": return .stopProgress
    default: return nil
    }
  }

  private static func split(_ text: Substring, _ count: Int) -> [String] {
    text.isEmpty ? [] : text.bytes.split(separator: " ", maxSplits: count - 1, omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether the line may follow a `SET` or `SUBST` of that tag. All other lines continue its value, which debconf sends with
  /// its line breaks (trap T1).
  func canFollowValue(of tag: String) -> Bool {
    switch self {
    case .substitute(let other), .input(_, let other): other.bytes.equals(tag)
    default: false
    }
  }

  /// Whether the line may follow a `DATA`. debconf escapes the line breaks there, so any command may; cdebconf does not, so a
  /// line that is not a command continues the text.
  var canFollowData: Bool { self != .other }
}

/// The importance of a question in debconf; the raw values are debconf's words.
package enum DebconfPriority: String, Sendable, Hashable {
  case low, medium, high, critical
}
