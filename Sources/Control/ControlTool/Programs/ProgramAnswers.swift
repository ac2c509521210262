import CoordinatorAnswers
import Glibc
import Platform
import RendererKit

/// The answers for a program: an answers file, or one for debconf-set-selections.
public struct ProgramAnswers: Sendable {
  /// The path of the file, if it is for debconf-set-selections.
  public let selections: String?
  /// The answers to screens; none if the file is for debconf-set-selections, in which case the program's keeper answers its
  /// questions.
  let file: AnswersFile
  /// The path, for messages.
  let path: String
  /// The policy for missing answers; nil to leave it to the file.
  let missing: MissingPolicy?

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: path of the file; `-` for standard input.
  ///   - missing: policy for missing answers; nil to leave it to the file.
  /// - Throws: ``ToolFailure`` if the file cannot be read, or cannot be used for a program.
  public init(_ path: String, missing: MissingPolicy?) throws(ToolFailure) {
    guard let text = StandardStreams.readAll(path, keepsLineBreak: true) else {
      throw ToolFailure(["cannot read '\(path.printable)' as text in UTF-8"])
    }
    (self.path, self.missing) = (path, missing)
    if Self.isForDebconf(text) {
      guard path != "-" else {
        throw ToolFailure(["a file for debconf-set-selections cannot be read from standard input; name the file"])
      }
      (selections, file) = (path, AnswersFile(flow: RunningProgram.flow, input: [:], flows: []))
      return
    }
    selections = nil
    do {
      file = try AnswersFile(yaml: text)
    } catch {
      throw ToolFailure(error, path: path)
    }
    guard file.flow == nil || file.flow == RunningProgram.flow else {
      let flow = file.flow ?? ""
      throw ToolFailure(["\(path): is for '\(flow)', but a program is answered under '\(RunningProgram.flow)'".printable])
    }
  }

  /// Returns whether the first line that is not empty or a comment has the format of debconf-set-selections: owner, question,
  /// type, value.
  static func isForDebconf(_ text: String) -> Bool {
    let lines = text.utf8.split(whereSeparator: { "\n\r".utf8.contains($0) }).lazy.map { Substring($0).bytes.words }
    guard let words = lines.first(where: { !($0.first?.bytes.hasPrefix("#") ?? true) }), words.count >= 3 else { return false }
    let types = ["string", "boolean", "select", "multiselect", "note", "text", "password", "title", "seen", "error"]
    return words[1].bytes.contains("/") && !words[0].bytes.hasSuffix(":") && types.contains(String(words[2]))
  }
}
