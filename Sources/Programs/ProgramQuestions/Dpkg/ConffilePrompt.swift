import Forms
import Platform

/// dpkg's question about a configuration file that was changed both locally and in the package.
///
/// debconf does not know of this question (trap T12): dpkg asks on the terminal, and waits for a line there.
package struct ConffilePrompt: Sendable, Hashable {
  /// The effect of an empty line; nil if dpkg asks again.
  package enum Default: Sendable, Hashable {
    case keep, install
  }

  /// The last element of the path, as in the prompt.
  package let name: String
  /// The path; nil if it was not found above the prompt.
  package let path: String?
  /// The effect of an empty line.
  package let preset: Default?
  /// The text of dpkg above the prompt.
  package let explanation: [String]
  /// The differences, if the user asked for them.
  package let differences: [String]

  private static let letters = " (Y/I/N/O/D/Z) "

  /// Finds the prompt at the end of a program's output; returns nil if the output does not end with one. dpkg waits for an
  /// answer only if the prompt is the last output.
  ///
  /// - Parameter output: the output to the terminal since the last answer.
  package init?(output: some Sequence<UInt8>) {
    let lines = ForeignText(TerminalPlain.text(output), limit: 1 << 20).lines
    // The words around the letters are translated; the letters are not.
    guard let (before, end) = lines.last?.bytes.dropping(prefix: "*** ")?.bytes.cut(at: Self.letters),
      !end.bytes.contains("*"), end.bytes.hasSuffix("? ")
    else { return nil }
    name = String(before)
    preset = end.bytes.contains("=N]") ? .keep : end.bytes.contains("=Y]") ? .install : nil
    let above = lines.dropLast()
    // dpkg's explanation begins with the line that contains the path.
    let name = name
    let start = above.lastIndex { Self.path(in: $0, endingWith: "/" + name) != nil }
    path = start.flatMap { Self.path(in: above[$0], endingWith: "/" + name) }
    explanation = start.map { above[$0...].filter { !$0.isEmpty } } ?? []
    // After D, dpkg shows the differences, and then the whole prompt again.
    let shown = above[..<(start ?? above.endIndex)]
    differences = shown.firstIndex { $0.bytes.hasPrefix("--- ") }.map { Array(shown[$0...].suffix(2000)) } ?? []
  }

  /// Returns the path in quotes, which differ between languages, or at the end of a line.
  private static func path(in line: String, endingWith end: String) -> String? {
    guard !line.bytes.contains("==>"), let (before, after) = line.bytes.cut(at: end) else { return nil }
    if let next = after.unicodeScalars.first, next.isWordPart || "._-/+~".unicodeScalars.contains(next) { return nil }
    return (before.bytes.firstIndex(of: "/").map { String(before[$0...]) } ?? "") + end
  }

  /// The name of the screen, which answers files use.
  package var screenName: String { "dpkg-conffile/\(path ?? name)" }

  /// The question as a screen. A shell (the letter Z) is not offered: it would wait on a terminal that no user sees.
  package var question: ProgramQuestion {
    var screen = ForeignScreen(.menu, name: screenName, title: "Configuration file \(path ?? name)")
    // The actions replace dpkg's explanation of its keys.
    let facts = explanation.filter { $0.bytes.contains("==>") }.map { line in
      String(Substring(line.utf8.drop { " =>".utf8.contains($0) }))
    }
    for fact in facts { screen.add(paragraph: fact) }
    if facts.isEmpty { screen.add(ForeignProse(blocks: [.init(.verbatim, explanation.joined(separator: "\n"))])) }
    if !differences.isEmpty { screen.add(ForeignProse(blocks: [.init(.verbatim, differences.joined(separator: "\n"))])) }
    screen.add(action: "keep", "Keep the current version", preset == .keep ? .primary : .normal)
    screen.add(action: "install", "Install the package maintainer's version", preset == .install ? .primary : .normal)
    screen.add(action: "differences", "Show the differences", .normal)
    return ProgramQuestion(screen: screen.screen)
  }

  /// Returns the keys to type. dpkg reads a line.
  ///
  /// - Parameter answer: the answer of the screen.
  /// - Returns: the keys; nil if the screen does not offer the event.
  package func keys(for answer: ProgramAnswer) -> [UInt8]? {
    guard case .event(let event, _, _) = answer else { return nil }
    switch event {
    case "keep": return Array("N\n".utf8)
    case "install": return Array("Y\n".utf8)
    case "differences": return Array("D\n".utf8)
    default: return nil
    }
  }

  /// The environment variable that makes dpkg write the differences instead of starting a pager.
  package static let environment = ["DPKG_PAGER": "cat"]
}
