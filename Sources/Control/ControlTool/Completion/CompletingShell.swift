import Platform
import RendererKit

/// A shell that requests candidates.
///
/// Candidates come from the daemon, and therefore from anyone who names a network or a user that a flow shows. No shell may
/// interpret one as anything but a word.
public enum CompletingShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Returns a candidate as the shell's completion script expects it.
  ///
  /// - Parameter candidate: word that the shell offers.
  /// - Returns: one line; nil if the word contains a control character, or another one that is unsafe on a terminal.
  public func line(_ candidate: String) -> String? {
    guard candidate.printable.unicodeScalars.elementsEqual(candidate.unicodeScalars) else { return nil }
    switch self {
    // The script passes its candidates to `compgen -W`, which expands each of them as a word of a command line, including
    // commands.
    case .bash: return ShellText.word(candidate)
    case .zsh: return Self.withoutDescription(candidate)
    case .fish: return candidate
    }
  }

  /// Returns a word in which no colon begins a description.
  private static func withoutDescription(_ candidate: String) -> String {
    candidate.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == ":" || scalar == "\\" { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
