/// A variable of a shell that a script has set from what was answered.
package struct ShellVariable: Sendable, Hashable {
  /// The name of the variable: ASCII letters, digits and `_`, beginning with no digit.
  package let name: String

  /// Derives the variable from the name of a field: `-`, `.` and everything else that no name can contain become `_`.
  package init(of field: String) {
    let bytes = field.utf8.map { $0.isASCIILetter || $0.isASCIIDigit ? $0 : UInt8(ascii: "_") }
    let name = String(decoding: bytes, as: UTF8.self)
    self.name = bytes.first.map(\.isASCIIDigit) ?? true ? "_\(name)" : name
  }

  /// Whether the variable means something to the shell or to the system's programs, so that no answer may set it.
  ///
  /// POSIX keeps the names without a lower-case letter for the shell and the utilities, and those with one for
  /// applications: `PATH`, `IFS`, `PS4`, `LD_PRELOAD`, and whatever a later shell brings, are all among the former.
  ///
  /// Source: POSIX.1-2024, Base Definitions, section 8.1; curl(1), "ENVIRONMENT"; zshparam(1). `coordinator-ask` has the
  /// same rule.
  package var isReserved: Bool {
    !name.utf8.contains(where: \.isASCIILowercase) || name.bytes.hasSuffix("_proxy") || Self.ofZsh.contains(name)
  }

  /// The variables in lower case that in zsh are `PATH` and its like, or the script's arguments.
  private static let ofZsh: Set = ["argv", "cdpath", "fpath", "mailpath", "manpath", "module_path", "path"]
}
