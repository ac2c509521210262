import RendererKit

/// A shell that asks for candidates.
///
/// Candidates come from the daemon, and so from whoever names the network or the user that a flow shows: no shell may take
/// one for anything but a word.
public enum CompletingShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Returns a candidate as the shell's completion script expects it.
  ///
  /// - Parameter candidate: word that the shell is to offer.
  /// - Returns: one line; nil if the word contains a control character, or another one that no terminal should be sent.
  public func line(_ candidate: String) -> String? {
    guard candidate.printable.unicodeScalars.elementsEqual(candidate.unicodeScalars) else { return nil }
    switch self {
    case .bash: return Self.quoted(candidate)
    case .zsh: return Self.withoutDescription(candidate)
    case .fish: return candidate
    }
  }

  /// Returns a word as a string that bash takes literally.
  ///
  /// The script passes its candidates to `compgen -W`, which expands each of them as a word of a command line, with the
  /// commands in it. Quotation marks are safer than backslashes: in some encodings, a backslash can be the second byte of a
  /// character.
  private static func quoted(_ candidate: String) -> String {
    let isHarmless = candidate.unicodeScalars.allSatisfy { scalar in
      !scalar.isASCII || scalar.properties.isAlphabetic || "0123456789-_./:=@,+%".unicodeScalars.contains(scalar)
    }
    if isHarmless, !candidate.isEmpty { return candidate }
    let parts = candidate.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
  }

  /// Returns a word in which no colon begins a description.
  private static func withoutDescription(_ candidate: String) -> String {
    candidate.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == ":" || scalar == "\\" { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
