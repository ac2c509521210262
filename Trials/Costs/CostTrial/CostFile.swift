import Foundation

/// What calls cost when it was last written down, as the repository keeps it: by the configuration of the build.
public struct CostFile: Sendable, Hashable, Codable {
  /// The figures of one configuration.
  public struct Section: Sendable, Hashable, Codable {
    /// What they depend on besides our code, by name: `swift` → `6.3.1`.
    public var platform: [String: String]
    /// By scenario.
    public var scenarios: [String: Cost]

    /// Puts a section together.
    public init(platform: [String: String], scenarios: [String: Cost]) {
      (self.platform, self.scenarios) = (platform, scenarios)
    }
  }

  /// By configuration: `debug`, `release`.
  public var sections: [String: Section]

  /// Puts a file together.
  public init(sections: [String: Section] = [:]) { self.sections = sections }

  /// Reads a file.
  public init(at path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Writes the file, always in the same order.
  public func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path), options: .atomic)
  }
}
