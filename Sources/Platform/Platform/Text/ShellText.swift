/// Text that a POSIX shell reads.
package enum ShellText {
  /// Returns a text as one word that the shell takes literally.
  ///
  /// Between apostrophes only the apostrophe itself is special; it is written outside of them, after a backslash. D-Bus match
  /// rules are quoted in the same way.
  ///
  /// Source: POSIX.1-2024, Shell Command Language, section 2.2.2; D-Bus Specification, "Match Rules".
  package static func quoted(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a text as one word, quoted only if it contains anything but letters, digits and `-_./:=@,+%`.
  package static func word(_ text: some StringProtocol) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@,+%".utf8.contains($0) }
    return isPlain && !text.isEmpty ? String(text) : quoted(text)
  }

  /// Returns a line that gives a variable a value, for `eval`. NULs are left out: no variable can hold them.
  package static func assignment(_ variable: ShellVariable, _ value: String) -> String {
    let value = value.utf8.contains(0) ? String(decoding: value.utf8.filter { $0 != 0 }, as: UTF8.self) : value
    return "\(variable.name)=\(quoted(value))\n"
  }
}

/// A shell variable that a script has set from an answer.
package struct ShellVariable: Sendable, Hashable {
  /// The name of the variable: ASCII letters, digits and `_`, not beginning with a digit.
  package let name: String

  /// Derives the variable from the name of a field: `-`, `.` and all other characters that a name cannot contain become `_`.
  package init(of field: String) {
    let bytes = field.utf8.map { $0.isASCIILetter || $0.isASCIIDigit ? $0 : UInt8(ascii: "_") }
    let name = String(decoding: bytes, as: UTF8.self)
    self.name = bytes.first.map(\.isASCIIDigit) ?? true ? "_\(name)" : name
  }

  /// Whether the variable has a meaning to the shell or to the system's programs, so that no answer may set it.
  ///
  /// POSIX reserves the names without a lower-case letter for the shell and the utilities, and leaves those with one to
  /// applications. `PATH`, `IFS`, `PS4`, `LD_PRELOAD` and the variables of later shells are all reserved names.
  ///
  /// Source: POSIX.1-2024, Base Definitions, section 8.1; curl(1), "ENVIRONMENT"; zshparam(1). `coordinator-ask` has the same
  /// rule.
  package var isReserved: Bool {
    !name.utf8.contains(where: \.isASCIILowercase) || name.bytes.hasSuffix("_proxy") || Self.ofZsh.contains(name)
  }

  /// The lower-case variables that in zsh are `PATH` and the like, or the arguments of the script.
  private static let ofZsh: Set = ["argv", "cdpath", "fpath", "mailpath", "manpath", "module_path", "path"]
}
