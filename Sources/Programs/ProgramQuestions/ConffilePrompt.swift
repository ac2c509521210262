import Forms
import Platform

/// dpkg's question about a configuration file that was changed both locally and in the package.
///
/// debconf does not know of this question (trap T12): dpkg asks on the terminal, and waits for a line there.
package struct ConffilePrompt: Sendable, Hashable {
  /// The effect of an empty line; nil if dpkg asks again.
  package enum Default: String, Sendable, Hashable {
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
    screen.add(action: "keep", "Keep the current version", .normal)
    screen.add(action: "install", "Install the package maintainer's version", .normal)
    screen.add(action: "differences", "Show the differences", .normal)
    return ProgramQuestion(screen: screen.screen.defaulting(to: preset?.rawValue))
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

/// A question on the terminal that ends with two letters, such as apt's "Do you want to continue? [Y/n] ".
///
/// debconf does not know of this question (trap T12). The keeper withdraws it when the program writes more output.
package struct YesNoPrompt: Sendable, Hashable {
  /// The line without the letters.
  package let text: String
  /// The lines above it, up to the last empty line; at most 20.
  package let context: [String]
  /// The letter for yes.
  package let yes: Unicode.Scalar
  /// The letter for no.
  package let no: Unicode.Scalar
  /// The meaning of an empty line; nil if both letters have the same case.
  package let preset: Bool?

  /// Finds the prompt at the end of a program's output; returns nil if the output does not end with one.
  ///
  /// - Parameter output: the output to the terminal since the last answer.
  package init?(output: some Sequence<UInt8>) {
    let lines = ForeignText(TerminalPlain.text(output), limit: 1 << 20).lines
    guard let line = lines.last, line.bytes.hasSuffix(" ") || line.bytes.hasSuffix("]") else { return nil }
    var scalars = line.unicodeScalars[...]
    while scalars.last == " " { scalars.removeLast() }
    let end = Array(scalars.suffix(5))
    guard end.count == 5, end[0] == "[", end[2] == "/", end[4] == "]", end[1].properties.isAlphabetic,
      end[3].properties.isAlphabetic
    else { return nil }
    (yes, no) = (end[1], end[3])
    preset = yes.properties.isUppercase == no.properties.isUppercase ? nil : yes.properties.isUppercase
    text = ForeignText(String(scalars.dropLast(5))).line
    guard !text.isEmpty else { return nil }
    context = Array(lines.dropLast().reversed().prefix { !$0.isEmpty }.prefix(20).reversed())
  }

  /// The name of the screen, which answers files use.
  package let screenName = "terminal-confirm"

  /// The question as a screen.
  package var question: ProgramQuestion {
    var screen = ForeignScreen(.menu, name: screenName, title: text)
    if !context.isEmpty { screen.add(ForeignProse(blocks: [.init(.verbatim, context.joined(separator: "\n"))])) }
    screen.add(action: "yes", "Yes", .normal)
    screen.add(action: "no", "No", .normal)
    return ProgramQuestion(screen: screen.screen.defaulting(to: preset.map { $0 ? "yes" : "no" }))
  }

  /// Returns the keys to type.
  ///
  /// - Parameter answer: the answer of the screen.
  /// - Returns: the keys; nil if the screen does not offer the event.
  package func keys(for answer: ProgramAnswer) -> [UInt8]? {
    switch answer {
    case .event("yes", _, _): Array("\(yes.properties.lowercaseMapping)\n".utf8)
    case .event("no", _, _): Array("\(no.properties.lowercaseMapping)\n".utf8)
    default: nil
    }
  }
}

/// Removes escape sequences from a program's output to a terminal.
enum TerminalPlain {
  private enum State {
    case text, escape, control, string, stringEscape, single
  }

  /// Returns the text of bytes for a terminal: removes sequences, and keeps text that a carriage return overwrites.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var state = State.text
    var plain: [UInt8] = []
    for byte in bytes {
      switch (state, byte) {
      case (.string, 0x07), (.stringEscape, 0x5C): state = .text
      case (.string, 0x1B): state = .stringEscape
      case (.stringEscape, _): state = .string
      case (.string, _): break
      case (_, 0x1B): state = .escape
      case (.escape, UInt8(ascii: "[")): state = .control
      case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")): state = .string
      case (.escape, 0x20...0x2F): state = .single
      case (.escape, _), (.single, _): state = .text
      case (.control, 0x40...0x7E): state = .text
      case (.control, _): break
      case (.text, 0x0D), (.text, 0x07): break
      case (.text, _): plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
