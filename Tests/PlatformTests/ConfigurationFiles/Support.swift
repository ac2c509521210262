import Foundation

@testable import ConfigurationFiles

/// One key of each kind.
enum Keys {
  enum Colour: String, CaseIterable { case red, green }

  static let address = ConfigurationKey<String?>(
    "Address", in: "Bus", .text("an address", name: "address"), default: nil, "Where.")
  static let maxFlows = ConfigurationKey(
    "MaxFlows", in: "Limits", .count(from: 1), default: 20_000, flag: "max-flows", "How many.")
  static let maxBytes = ConfigurationKey("MaxBytes", in: "Limits", .bytes, default: 16 << 20, reloads: true, "How much.")
  static let colour = ConfigurationKey<Colour>("Colour", in: "Looks", .choice, default: .red, "What it looks like.")

  static let all = [address.entry, maxFlows.entry, maxBytes.entry, colour.entry]
}

/// A temporary directory with configuration files, removed together with this object.
final class Places: Sendable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("coordinatord-\(UUID().uuidString)").path

  /// Writes files, given by their paths below the root.
  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for (path, text) in files {
      let url = URL(fileURLWithPath: "\(root)/\(path)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Reads the configuration of a user's daemon, with `shared` and `own` as its directories.
  func read(_ environment: [String: String] = [:], flags: [GivenValue?] = []) -> Configuration {
    let all = environment.merging(["XDG_CONFIG_DIRS": "\(root)/shared", "XDG_CONFIG_HOME": "\(root)/own"]) { $1 }
    return Configuration(
      Keys.all,
      from: ConfigurationSource(
        places: .user("d", environment: all), environment: all, prefix: "D", flags: flags.compactMap(\.self)))
  }

  /// Returns a configuration's problems, with paths relative to the root.
  func problems(_ configuration: Configuration) -> [String] {
    configuration.problems.map { $0.description.replacing(root + "/", with: "") }
  }
}
