import Platform

/// Answers in the form that `debconf-set-selections` reads and `debconf-get-selections` writes: lines of owner, question, type
/// and value.
///
/// Values are in the language C, so a program that takes them runs in `C.UTF-8`. Even then, a few packages show other texts
/// than they store ("Slight" for "hintslight"), and debconf does not pass on the stored values: such a value has no match here.
/// `debconf-set-selections` itself, called before the program, takes all of them, and debconf then does not ask those
/// questions.
package struct DebconfSelections: Sendable, Hashable {
  /// One answer.
  package struct Entry: Sendable, Hashable {
    /// The package that owns the question.
    package let owner: String
    /// The name of the question.
    package let question: String
    /// The type in the line.
    package let type: DebconfType
    /// The value; empty if the line has none.
    package let value: String
  }

  /// A line without a selection.
  package struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The number of the line, counted from 1.
    package let line: Int
    /// The mistake.
    package let text: String

    package var description: String { "line \(line): \(text)" }
  }

  /// The answers, in the order of the file.
  package private(set) var entries: [Entry] = []
  /// The lines that were skipped.
  package private(set) var problems: [Problem] = []
  private var uses: [String: Int] = [:]

  /// The number of times that one answer is given: debconf asks again after Back, and while a package is configured. A question
  /// that is asked more often does not accept the answer.
  package static let maximumUses = 3

  /// Reads a file.
  package init(_ text: String) {
    var joined: (line: Int, text: String)?
    for (index, line) in ForeignLines.split(text).enumerated() {
      var entry = joined ?? (index + 1, "")
      joined = nil
      if let begun = line.bytes.dropping(suffix: "\\") {
        entry.text += begun
        joined = entry
        continue
      }
      entry.text += line
      read(entry.text, at: entry.line)
    }
    if let joined { read(joined.text, at: joined.line) }
  }

  private mutating func read(_ line: String, at number: Int) {
    var rest = line.utf8.drop(while: \.isASCIISpace)
    guard let first = rest.first, first != UInt8(ascii: "#") else { return }
    var words: [String] = []
    while words.count < 3, !rest.isEmpty {
      words.append(String(Substring(rest.prefix { !$0.isASCIISpace })))
      rest = rest.drop { !$0.isASCIISpace }
      // A single blank ends the type; further blanks belong to the value.
      rest = words.count < 3 ? rest.drop(while: \.isASCIISpace) : rest.dropFirst()
    }
    guard words.count == 3 else {
      problems.append(Problem(line: number, text: "expected: owner question type value"))
      return
    }
    if words[2] == "seen" { return }
    guard let type = DebconfType(rawValue: words[2]), type != .unknown else {
      problems.append(Problem(line: number, text: "there is no type '\(ForeignText(words[2]).line)'"))
      return
    }
    entries.append(Entry(owner: words[0], question: words[1], type: type, value: String(Substring(rest))))
  }

  /// Returns the value for a question: the last one of this owner, otherwise the last one of any owner.
  ///
  /// - Parameters:
  ///   - question: the name of the question.
  ///   - owner: the package that asks.
  /// - Returns: the value; nil if the file has none.
  package func value(for question: String, owner: String) -> String? {
    let matching = entries.filter { $0.question == question }
    return (matching.last { $0.owner == owner } ?? matching.last)?.value
  }

  /// Returns the answer to a block.
  ///
  /// - Parameter block: the block. A block that shows an error has no answer, because a user must see the error.
  /// - Returns: the answer.
  /// - Throws: ``MissingSelections`` with the questions that the file does not answer.
  package mutating func answer(for block: DebconfBlock) throws(MissingSelections) -> ProgramAnswer {
    var missing: [MissingSelections.Question] = []
    for question in block.questions {
      let isMissing = question.type == .error || (!question.type.isShownOnly && usable(question, block.section) == nil)
      if isMissing { missing.append(.init(question, owner: block.section)) }
    }
    guard missing.isEmpty else { throw MissingSelections(questions: missing) }
    let answer = try? block.answer { value(for: $0.tag, owner: block.section) }
    guard let answer else {
      let unsuitable = block.questions.filter { question in
        guard !question.choices.isEmpty || question.type == .boolean else { return false }
        return value(for: question.tag, owner: block.section).flatMap(question.entered) == nil
      }
      throw MissingSelections(
        questions: unsuitable.map {
          .init($0, owner: block.section, choices: $0.type == .boolean ? ["true", "false"] : $0.choices)
        })
    }
    for question in block.questions { uses["\(block.section) \(question.field)", default: 0] += 1 }
    return answer
  }

  private func usable(_ question: DebconfQuestion, _ section: String) -> String? {
    guard uses["\(section) \(question.field)", default: 0] < Self.maximumUses else { return nil }
    return value(for: question.tag, owner: section)
  }
}

/// The questions that a file of `debconf-set-selections` does not answer.
package struct MissingSelections: Error, Sendable, Hashable, CustomStringConvertible {
  /// A question without an answer.
  package struct Question: Sendable, Hashable {
    package let owner: String
    package let question: String
    package let type: DebconfType
    /// The choices, if the file has a value that is not among them.
    package let choices: [String]

    init(_ question: DebconfQuestion, owner: String, choices: [String] = []) {
      (self.owner, self.question, type, self.choices) = (owner, question.tag, question.type, choices)
    }
  }

  /// The questions without a suitable answer.
  package let questions: [Question]

  /// A message with the lines to add.
  package var description: String {
    questions.map(\.sentence).map { ForeignText($0).line }.joined(separator: "\n")
  }
}

extension MissingSelections.Question {
  fileprivate var sentence: String {
    if type == .error { return "an error is shown: \(question)" }
    let line = "\(owner.isEmpty ? "unknown" : owner) \(question) \(type.rawValue)"
    return choices.isEmpty
      ? "add: \(line) VALUE" : "the value of '\(line)' is not one of these: \(choices.joined(separator: "; "))"
  }
}
