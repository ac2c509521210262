import Platform

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
