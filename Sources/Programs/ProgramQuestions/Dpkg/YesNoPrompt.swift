import Forms
import Platform

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
    screen.add(action: "yes", "Yes", preset == true ? .primary : .normal)
    screen.add(action: "no", "No", preset == false ? .primary : .normal)
    return ProgramQuestion(screen: screen.screen)
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
