import Platform

/// The answers for an unattended flow. They are keyed by the names of flows, screens and fields, never by displayed
/// text.
public struct AnswersFile: Sendable, Hashable {
  /// The answers to a screen, in the order in which the screen appears.
  public struct Screen: Sendable, Hashable {
    /// The name of the screen.
    public var name: String
    /// The answers. Each is used once, except ``ScreenAnswer/repeated(_:)``, which must be the only one.
    public var answers: [ScreenAnswer]
    /// Whether the answers are written as a list, even if there is only one.
    public var isList: Bool
    /// The comment next to the answers.
    public var note: String?

    /// Creates the answers to a screen.
    public init(_ name: String, _ answers: [ScreenAnswer], isList: Bool? = nil, note: String? = nil) {
      self.name = name
      self.answers = answers
      self.isList = isList ?? (answers.count != 1)
      self.note = note
    }
  }

  /// The answers to the screens of a flow.
  public struct Flow: Sendable, Hashable {
    /// The name of the flow, or a path of flow names that ends with it: `pets/schedule-visit`.
    public var name: String
    /// The answers to the flow's screens: one element for each coordinator of the flow, in the order in which they ask,
    /// or a single element that all of them share.
    public var coordinators: [[Screen]]
    /// Whether the answers are written as a list with one element for each coordinator.
    public var isList: Bool

    /// Creates the answers to the screens of a flow.
    public init(_ name: String, _ coordinators: [[Screen]], isList: Bool? = nil) {
      self.name = name
      self.coordinators = coordinators
      self.isList = isList ?? (coordinators.count != 1)
    }
  }

  /// The flow to start; nil if the file is for flow trees that are already running.
  public var flow: String?
  /// The input of the flow, by key.
  public var input: [String: AnswerValue]
  /// What to do when an answer is missing; nil leaves it to the command line.
  public var missing: MissingPolicy?
  /// The answers, by flow.
  public var flows: [Flow]

  /// Creates a file with the given contents.
  public init(
    flow: String? = nil, input: [String: AnswerValue] = [:], missing: MissingPolicy? = nil, flows: [Flow] = []
  ) {
    self.flow = flow
    self.input = input
    self.missing = missing
    self.flows = flows
  }
}

/// The action of an unattended run when the answers file has no answer for a screen or a field.
public enum MissingPolicy: String, Sendable, Hashable, CaseIterable {
  /// Stop and name the missing answer.
  case fail
  /// Take the answer that the screen itself proposes; stop if it proposes none.
  case `default`
  /// Ask the user at the terminal; stop if there is none.
  case ask
  /// Leave the screen to the users of other renderers, then continue.
  case wait
}

extension AnswersFile {
  /// The maximum size of an answers file, in bytes.
  public static let longestText = 1 << 18

  /// Parses an answers file.
  ///
  /// YAML 1.1 resolves `no`, `on` and `1e3` to Booleans and numbers. Here every scalar is text until the schema of its
  /// field requires otherwise. Anchors and aliases are refused, because they can expand a small file to a large one.
  ///
  /// - Parameter yaml: text of the file.
  /// - Throws: ``AnswersError`` for the first error found.
  public init(yaml: String) throws(AnswersError) {
    guard yaml.utf8.count <= Self.longestText else { throw AnswersError("is longer than \(Self.longestText) bytes") }
    self = try YAMLDocument.reading(yaml) { root throws(AnswersError) in try AnswersReader.file(root) }
  }
}

extension AnswersFile {
  /// Returns the text of the file.
  ///
  /// - Parameter heading: lines of a comment for users at the top of the file.
  /// - Returns: YAML that ``init(yaml:)`` parses to the same file, except for the notes.
  public func yaml(heading: [String] = []) -> String {
    var lines = heading.map(YAMLText.comment)
    if let flow { lines.append("flow: \(YAMLText.scalar(flow))") }
    if let missing { lines.append("missing: \(missing.rawValue)") }
    if !input.isEmpty {
      lines.append("input:")
      lines += Self.lines(of: input).map { "  " + $0 }
    }
    lines.append(flows.isEmpty ? "answers: {}" : "answers:")
    for flow in flows { lines += flow.lines.map { "  " + $0 } }
    return lines.map { $0 + "\n" }.joined()
  }

  fileprivate static func lines(of values: [String: AnswerValue]) -> [String] {
    values.sorted { $0.key < $1.key }.map { "\(YAMLText.scalar($0.key)): \($0.value.yaml)" }
  }
}

extension AnswersFile.Flow {
  fileprivate var lines: [String] {
    let blocks = coordinators.map { screens in screens.isEmpty ? ["{}"] : screens.flatMap(\.lines) }
    guard !isList else {
      return ["\(YAMLText.scalar(name)):\(blocks.isEmpty ? " []" : "")"] + blocks.flatMap { Self.element($0) }
    }
    let screens = blocks.first ?? []
    return screens == ["{}"] ? ["\(YAMLText.scalar(name)): {}"] : ["\(YAMLText.scalar(name)):"] + screens.map { "  " + $0 }
  }

  fileprivate static func element(_ lines: [String]) -> [String] {
    lines.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element }
  }
}

extension AnswersFile.Screen {
  fileprivate var lines: [String] {
    let comment = note.map { "  " + YAMLText.comment($0) } ?? ""
    let key = "\(YAMLText.scalar(name)):"
    if !isList, let answer = answers.first {
      let body = answer.lines
      guard body.count > 1, let first = body.first else { return ["\(key) \(body.first ?? "~")\(comment)"] }
      return ["\(key)\(comment)", "  \(first)"] + body.dropFirst().map { "  " + $0 }
    }
    return ["\(key)\(answers.isEmpty ? " []" : "")\(comment)"] + answers.flatMap { AnswersFile.Flow.element($0.lines) }
  }
}

extension ScreenAnswer {
  /// A single line, or the lines of a mapping.
  fileprivate var lines: [String] {
    switch self {
    case .unknown: return ["~"]
    case .action(let id): return [YAMLText.scalar(id)]
    case .back: return ["{ back: true }"]
    case .dismiss: return ["{ dismiss: true }"]
    case .repeated(let answer): return ["{ repeat: \(answer.inline) }"]
    case .values(let values):
      let lines = AnswersFile.lines(of: values)
      return lines.count > 1 ? lines : [inline]
    }
  }

  private var inline: String {
    switch self {
    case .values(let values):
      values.isEmpty ? "{}" : "{ \(AnswersFile.lines(of: values).joined(separator: ", ")) }"
    default: lines.first ?? "~"
    }
  }
}

extension AnswerValue {
  fileprivate var yaml: String {
    switch self {
    case .nothing: "~"
    case .text(let text): YAMLText.scalar(text)
    case .list(let texts): "[\(texts.map(YAMLText.scalar).joined(separator: ", "))]"
    case .reference(let reference): reference.description
    }
  }
}

/// The error that makes an answers file unusable. Never contains a value of the file, which might be a misplaced
/// secret.
public struct AnswersError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; nil if the error concerns the whole file.
  public var line: Int?
  /// The keys from the outermost to the innermost: `answers`, `account`, `log-in`.
  public var keys: [String]
  /// The description of the error.
  public var reason: String

  /// Creates an error.
  public init(line: Int? = nil, keys: [String] = [], _ reason: String) {
    self.line = line
    self.keys = keys
    self.reason = reason
  }

  /// A one-line description for users: "line 4: answers: account: must be ...".
  public var description: String {
    ((line.map { ["line \($0)"] } ?? []) + keys + [reason]).joined(separator: ": ")
  }
}
