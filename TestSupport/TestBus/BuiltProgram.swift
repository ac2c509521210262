import Foundation

/// The executables of this package that tests and trials start.
public enum BuiltProgram {
  /// The error for a program that was not found. `swift build` builds it.
  public struct Missing: Error {
    /// The name of the program.
    public let name: String
    /// The directories in which it was expected.
    public let lookedIn: [String]
  }

  /// The directory of this checkout.
  public static let checkout = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// Returns the path of an executable, or of a program that an executable contains: next to the test bundle or to the trial,
  /// in any configuration and place of the build.
  ///
  /// - Throws: `Missing`.
  public static func path(_ name: String) throws(Missing) -> String {
    let candidates = directories.map { $0.appending(path: name).path }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw Missing(name: name, lookedIn: directories.map(\.path))
    }
    return path
  }

  /// Returns the directory of the executables.
  ///
  /// - Throws: `Missing`.
  public static func directory() throws(Missing) -> URL {
    guard let directory = directories.first else { throw Missing(name: "coordinator-tools", lookedIn: []) }
    return directory
  }

  /// The candidate directories, with the links to the programs. `swift test` names the bundle among the arguments of a helper,
  /// or runs it as the program itself.
  private static let directories: [URL] = {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }.map { URL(filePath: $0).deletingLastPathComponent() }
    let own = (bundles + [Bundle.main.bundleURL]).filter(hasExecutables)
    // Another configuration is none of the tested one: it is used only if this process was not built beside any executable.
    let all = own.isEmpty ? [checkout.appending(path: ".build/debug")] : own
    for directory in all {
      let linking = Process()
      linking.executableURL = checkout.appending(path: "Scripts/link-programs")
      linking.arguments = [directory.path]
      // Without the script, as in an installed trial, the links are there, or `path` says what is missing.
      guard (try? linking.run()) != nil else { continue }
      linking.waitUntilExit()
    }
    return all
  }()

  /// Whether a directory contains an executable with the programs that tests or trials start.
  private static func hasExecutables(_ directory: URL) -> Bool {
    ["coordinator-tools", "test-programs"].contains { name in
      FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }
  }
}
