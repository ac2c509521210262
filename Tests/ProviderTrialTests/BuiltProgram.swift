import Foundation

/// The programs that the tests run.
enum BuiltProgram {
  /// The program was not found; `swift build` builds it.
  struct Missing: Error {
    let name: String
  }

  /// Returns the path of one of the package's executables, next to the test bundle.
  static func path(_ name: String) throws -> String {
    // `swift test` names the bundle among the arguments of a helper, or runs it as the program itself.
    let directories =
      CommandLine.arguments.filter { $0.contains(".xctest") }.map { URL(filePath: $0).deletingLastPathComponent() }
      + [Bundle.main.bundleURL, checkout.appending(path: ".build/debug")]
    let candidates = directories.map { $0.appending(path: name).path }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile) else { throw Missing(name: name) }
    return path
  }

  /// The directory of this checkout.
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
