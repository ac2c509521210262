import Foundation

/// The recorded costs of calls, as the repository stores them, by build configuration.
public struct CostFile: Sendable, Hashable, Codable {
  /// The figures of one configuration.
  public struct Section: Sendable, Hashable, Codable {
    /// The properties that the figures depend on besides this project's code, by name: `swift` → `6.3.1`.
    public var platform: [String: String]
    /// The costs by scenario.
    public var scenarios: [String: Cost]

    /// Creates a section.
    public init(platform: [String: String], scenarios: [String: Cost]) {
      (self.platform, self.scenarios) = (platform, scenarios)
    }
  }

  /// The sections by configuration: `debug`, `release`.
  public var sections: [String: Section]

  /// Creates a file.
  public init(sections: [String: Section] = [:]) { self.sections = sections }

  /// Reads a file. Throws if it cannot be read or decoded.
  public init(at path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Writes the file, with its keys sorted. Throws if it cannot be written.
  public func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path), options: .atomic)
  }
}
