import Forms
import Platform

/// One call of an askpass program: `ssh`, `sudo -A` and `git` run one with the prompt as its argument, and read a line.
///
/// ```swift
/// let request = AskpassRequest(prompt: arguments[1], hint: environment["SSH_ASKPASS_PROMPT"], from: .ssh)
/// ```
package struct AskpassRequest: Sendable, Hashable {
  /// The kind of answer that a program asks for.
  package enum Kind: Sendable, Hashable {
    /// A password, passphrase or code.
    case secret
    /// Text that may be visible, such as a user name.
    case text
    /// The word yes or no, as a line.
    case word
    /// Permission: the status says yes or no.
    case permission
    /// No answer: the prompt describes what the program waits for, and the program ends the call itself.
    case notice
  }

  /// The asking program.
  package let program: AskpassProgram
  /// The prompt, unchanged.
  package let prompt: String
  /// The kind of answer.
  package let kind: Kind

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - prompt: the argument of the call.
  ///   - hint: the value of the variable `SSH_ASKPASS_PROMPT`, by which ssh declares that it needs no text.
  ///   - program: the asking program.
  package init(prompt: String, hint: String? = nil, from program: AskpassProgram) {
    (self.prompt, self.program) = (prompt, program)
    kind = Self.kind(of: prompt.bytes.lowercased, hint, program)
  }

  private static func kind(of prompt: String, _ hint: String?, _ program: AskpassProgram) -> Kind {
    // Only ssh sets the hint for its own prompts; git and sudo may have inherited it.
    if program == .ssh || program == .other {
      switch hint {
      case "confirm": return .permission
      case "none": return .notice
      default: break
      }
    }
    var rest = prompt.utf8[...]
    while let last = rest.last, last.isASCIISpace || ":?".utf8.contains(last) { rest.removeLast() }
    let end = Substring(rest)
    if end.bytes.hasSuffix("(yes/no)") || end.bytes.hasSuffix("(yes/no/[fingerprint])") { return .word }
    if prompt.bytes.hasPrefix("please type 'yes'") { return .word }
    if prompt.bytes.hasPrefix("username for ") || prompt.bytes.hasPrefix("username:") { return .text }
    return .secret
  }

  /// The name of the screen, which answers files use.
  package var name: String {
    let what =
      switch kind {
      case .secret: "password"
      case .text: "username"
      case .word, .permission: "confirm"
      case .notice: "notice"
      }
    return program == .other ? "askpass-\(what)" : "\(program.rawValue)-\(what)"
  }

  /// The name of the field.
  static let field = "answer"

  /// The question as a screen.
  package var question: ProgramQuestion {
    let isForm = kind == .secret || kind == .text
    var screen = ForeignScreen(
      isForm ? .form : kind == .notice ? .message : .menu, name: name,
      title: program == .other ? "A program asks" : "\(program.rawValue) asks")
    let lines = ForeignText(prompt).lines.filter { !$0.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
    let label = Self.label(lines.last ?? "")
    let explanation = isForm ? Array(lines.dropLast()) : lines
    for line in explanation { screen.add(paragraph: line) }
    switch kind {
    case .secret, .text:
      let field = ForeignField(
        Self.field, kind == .secret ? .secret : .text, title: label.isEmpty ? (kind == .secret ? "Password" : "Answer") : label)
      screen.set(fields: [field])
      screen.add(action: "okay", "OK", .primary)
      screen.add(action: "cancel", "Cancel", .cancel)
    case .word, .permission:
      screen.add(action: "yes", "Yes", .normal)
      screen.add(action: "no", "No", .normal)
    case .notice: screen.add(action: "cancel", "Cancel", .cancel)
    }
    return ProgramQuestion(screen: screen.screen)
  }

  /// Returns the last line of a prompt without the colon at its end.
  private static func label(_ line: String) -> String {
    var rest = ForeignText(line).line.utf8[...]
    while let last = rest.last, ": ".utf8.contains(last) { rest.removeLast() }
    return String(Substring(rest))
  }

  /// Returns the output and the exit status of the askpass program.
  ///
  /// - Parameter answer: the answer of the screen.
  /// - Returns: the line on standard output and the status; status 1 for anything that is not an answer, which all programs
  ///   read as a refusal.
  package func result(of answer: ProgramAnswer) -> CommandResult {
    guard case .event(let event, let payload, let secrets) = answer else { return Self.cancelled }
    switch (kind, event) {
    case (.secret, "okay"): return secrets[Self.field].map(Self.line) ?? Self.cancelled
    case (.text, "okay"): return Self.line(Array((payload[Self.field]?.string ?? "").utf8))
    // To its question about a key, ssh reads a line as yes only if it is empty or "yes".
    case (.word, "yes"), (.permission, "yes"): return Self.line(Array("yes".utf8))
    case (.word, "no"): return Self.line(Array("no".utf8))
    default: return Self.cancelled
    }
  }

  /// The result of the askpass program if the user does not answer, or the asking program ends.
  package static let cancelled = CommandResult(status: 1)

  private static func line(_ bytes: [UInt8]) -> CommandResult {
    let line = bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    return CommandResult(status: 0, outputs: [.init(line + [0x0A], to: 1)])
  }
}

/// A program that asks through an askpass program.
package enum AskpassProgram: String, Sendable, Hashable {
  case ssh, sudo, git
  /// Any other program.
  case other

  /// Recognizes the asking program.
  ///
  /// - Parameter command: the name or path of the program that started the askpass program.
  package init(command: String) {
    let name = command.bytes.split(separator: "/").last.map(String.init) ?? command
    switch name {
    case "sudo", "sudo-rs", "sudoedit": self = .sudo
    case "git": self = .git
    case "ssh", "scp", "sftp": self = .ssh
    default: self = name.bytes.hasPrefix("ssh-") ? .ssh : name.bytes.hasPrefix("git-") ? .git : .other
    }
  }
}
