import CoordinatorAnswers
import Foundation

@testable import Platform

/// Text that is quoted for a shell, a match rule, YAML, markup and a link: what reads it gets the text back, and nothing
/// else.
enum QuotingTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard bytes.count < 1 << 16 else { return -1 }
    let text = String(decoding: bytes, as: UTF8.self)
    let printable = text.utf8.filter { $0 != 0 }
    precondition(unquoted(ShellText.quoted(text).utf8) == [Array(text.utf8)], "a shell reads something else")
    precondition(unquoted(ShellText.word(text).utf8) == [Array(text.utf8)], "a shell reads something else than the word")
    let variable = ShellVariable(of: text)
    precondition(
      variable.name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        && variable.name.utf8.first.map { !$0.isASCIIDigit } == true, "no variable has this name")
    let line = ShellText.assignment(variable, text)
    precondition(
      line.utf8.last == UInt8(ascii: "\n")
        && unquoted(line.utf8.dropLast()) == [Array("\(variable.name)=".utf8) + printable], "the assignment is another one")
    precondition(PercentEncoding.decode(PercentEncoding.encode(text).utf8) == Array(text.utf8), "a link contains something else")
    precondition(unescaped(MarkupText.html(text)) == Array(html(text).utf8), "a browser reads something else")
    precondition(unescaped(MarkupText.xml(text)) == Array(xml(text).utf8), "a parser of XML reads something else")
    parts(text)
    yaml(text)
    return 0
  }

  /// What HTML can contain of a text.
  private static func html(_ text: String) -> String { text.bytes.replacing("\0", with: "\u{FFFD}") }

  /// What XML can contain of a text.
  private static func xml(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { MarkupText.isXMLCharacter($0) ? $0 : "\u{FFFD}" }))
  }

  /// What markup means in content and in attributes, as bytes; nil if there is more in it than text.
  private static func unescaped(_ markup: String) -> [UInt8]? {
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\""]
    var text = ""
    var rest = markup[...]
    while let (before, after) = rest.bytes.cut(at: "&") {
      guard let (name, more) = after.bytes.cut(at: ";") else { return nil }
      guard
        let character = names[String(name)]
          ?? name.bytes.dropping(prefix: "#").flatMap({ UInt32($0) })
          .flatMap(Unicode.Scalar.init).map(String.init)
      else { return nil }
      guard !before.utf8.contains(where: { "<>\"".utf8.contains($0) }) else { return nil }
      text += before + character
      rest = more
    }
    return rest.utf8.contains { "<>\"".utf8.contains($0) } ? nil : Array((text + rest).utf8)
  }

  /// What is cut in parts is the same text again.
  private static func parts(_ text: String) {
    for separator in ["'", "\n", "=", "\r\n", "é"] {
      let parts = text.bytes.split(separator: separator, omittingEmptySubsequences: false)
      precondition(Array(parts.joined(separator: separator).utf8) == Array(text.utf8), "the parts are not the whole")
      precondition(!parts.contains { $0.bytes.contains(separator) }, "a part contains the separator")
      if let (before, after) = text.bytes.cut(at: separator) {
        precondition((before + separator + after).bytes.equals(text) && !before.bytes.contains(separator), "the halves differ")
      }
    }
    precondition(Array(text.bytes.trimmed.utf8) == Array(text.bytes.trimmed.bytes.trimmed.utf8), "is trimmed twice")
  }

  /// Compares what libyaml reads from a file that contains the text as a value, in comments, and as a separate scalar.
  private static func yaml(_ text: String) {
    // libyaml takes no longer names, and an answers file has a limit.
    guard text.utf8.count < 30_000 else { return }
    let file = AnswersFile(
      flow: "flow",
      flows: [AnswersFile.Flow("flow", [[AnswersFile.Screen("screen", [.values(["field": .text(text)])], note: text)]])])
    guard let read = try? AnswersFile(yaml: file.yaml(heading: [text])),
      case .values(let values)? = read.flows.first?.coordinators.first?.first?.answers.first, values.count == 1,
      case .text(let value)? = values["field"]
    else { preconditionFailure("YAML reads something else") }
    precondition(value.bytes.equals(text), "YAML reads another value")
    precondition(!YAMLText.scalar(text).utf8.contains(UInt8(ascii: "\n")), "a scalar of several lines")
  }

  /// What a POSIX shell reads: its words, as bytes; nil if it would read anything but words.
  private static func unquoted(_ text: some Sequence<UInt8>) -> [[UInt8]]? {
    var word: [UInt8]?
    var words: [[UInt8]] = []
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "'"):
        word = word ?? []
        while true {
          guard let quoted = bytes.next() else { return nil }
          if quoted == UInt8(ascii: "'") { break }
          word?.append(quoted)
        }
      case UInt8(ascii: "\\"):
        guard let next = bytes.next(), next != UInt8(ascii: "\n") else { return nil }
        word = (word ?? []) + [next]
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        if let complete = word { words.append(complete) }
        word = nil
      case _ where byte.isASCIILetter || byte.isASCIIDigit || "-_./:=@,+%".utf8.contains(byte): word = (word ?? []) + [byte]
      default: return nil
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
