import CoordinatorAnswers
import Glibc
import RendererKit

/// The file that answers a program: an answers file, or one for debconf-set-selections.
public struct ProgramAnswers: Sendable {
  /// The path of the file, if it is for debconf-set-selections.
  public let selections: String?
  /// How the screens are answered.
  public let options: AnswerOptions

  /// Looks at a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` for standard input.
  ///   - missing: what to do when an answer is missing; nil to leave it to the file.
  /// - Throws: ``ToolFailure`` if the file cannot be read.
  public init(_ path: String, missing: MissingPolicy?) throws(ToolFailure) {
    guard path != "-" else {
      (selections, options) = (nil, AnswerOptions(path: path, missing: missing))
      return
    }
    guard let text = StandardStreams.readAll(path) else { throw ToolFailure(["cannot read '\(path.printable)'"]) }
    let isForDebconf = Self.isForDebconf(text)
    selections = isForDebconf ? path : nil
    // Nothing is left to be answered here: the program's keeper knows what it is asked.
    options = AnswerOptions(path: path, missing: missing)
  }

  /// Whether the first line that says something is one of debconf-set-selections: owner, question, type, value.
  static func isForDebconf(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline).lazy.map { $0.split(whereSeparator: \.isWhitespace) }
    guard let words = lines.first(where: { !($0.first?.hasPrefix("#") ?? true) }), words.count >= 3 else { return false }
    let types = ["string", "boolean", "select", "multiselect", "note", "text", "password", "title", "seen", "error"]
    return words[1].contains("/") && !words[0].hasSuffix(":") && types.contains(String(words[2]))
  }
}
