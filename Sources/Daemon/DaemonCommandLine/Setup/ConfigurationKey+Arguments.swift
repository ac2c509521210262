import ArgumentParser
import ConfigurationFiles
import Glibc
import Platform

/// An option takes its help and its values from the key that it overrides.
extension ConfigurationKey {
  /// The help text for `--help`.
  public var help: ArgumentHelp {
    ArgumentHelp(
      "\(entry.summary)" + (entry.defaultText.isEmpty ? "" : " (default: \(entry.defaultText))"), valueName: entry.valueName)
  }

  /// A closure that validates an option's value, for use as the `transform` of an option. It throws `ValidationError`.
  public var argument: @Sendable (String) throws -> String {
    { [entry] text in
      guard entry.isValid(text) else { throw ValidationError("expected \(entry.expected)") }
      return text
    }
  }
}

extension ConfigurationKey where Value: RawRepresentable<String> & CaseIterable {
  /// The accepted words, for shell completion.
  var words: [String] { Value.allCases.map(\.rawValue) }
}

extension ConfigurationKey where Value == String? {
  /// A closure that makes a path absolute, for use as the `transform` of an option. It throws `ValidationError`.
  ///
  /// On the command line, a path may be relative to the working directory; in a configuration file it must be absolute.
  public var path: @Sendable (String) throws -> String {
    { path in
      guard !path.isEmpty else { throw ValidationError("expected a path") }
      guard !path.bytes.hasPrefix("/") else { return path }
      guard let directory = getcwd(nil, 0) else {
        throw ValidationError("cannot determine the current directory; give a path that begins with /")
      }
      defer { free(directory) }
      return "\(String(cString: directory))/\(path)"
    }
  }
}
