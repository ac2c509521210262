import ArgumentParser
import ConfigurationFiles
import Glibc

/// An option of the command line has its help and its values from the key that it goes before.
extension ConfigurationKey {
  /// What `--help` says.
  public var help: ArgumentHelp {
    ArgumentHelp(
      "\(entry.summary)" + (entry.defaultText.isEmpty ? "" : " (default: \(entry.defaultText))"), valueName: entry.valueName)
  }

  /// Checks what was given: the `transform` of an option.
  public var argument: @Sendable (String) throws -> String {
    { [entry] text in
      guard entry.isValid(text) else { throw ValidationError("expected \(entry.expected)") }
      return text
    }
  }
}

extension ConfigurationKey where Value: RawRepresentable<String> & CaseIterable {
  /// The words that it takes, for completions of shells.
  var words: [String] { Value.allCases.map(\.rawValue) }
}

extension ConfigurationKey where Value == String? {
  /// Takes a path: on the command line it may begin at the directory that one is in. What a file says does not depend on that.
  public var path: @Sendable (String) throws -> String {
    { path in
      guard !path.isEmpty else { throw ValidationError("expected a path") }
      guard !path.hasPrefix("/") else { return path }
      guard let directory = getcwd(nil, 0) else { throw ValidationError("the current directory is not known; begin with /") }
      defer { free(directory) }
      return "\(String(cString: directory))/\(path)"
    }
  }
}
