import Foundation
import Glibc

/// The paths of files that the tests run.
enum Built {
  /// The program was not found; `swift build` builds it.
  struct Missing: Error {
    let name: String
    let lookedIn: [String]
  }

  /// Returns the path of one of the package's executables, next to the test bundle, in any configuration and place of the
  /// build.
  static func executable(_ name: String) throws -> String {
    let candidates = directories.map { $0.appending(path: name).path }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw Missing(name: name, lookedIn: directories.map(\.path))
    }
    return path
  }

  /// Returns the directory of the package's executables.
  static func directory() throws -> String { URL(filePath: try executable("coordinatord")).deletingLastPathComponent().path }

  /// Returns the path of a file of this checkout, given from the top.
  static func checkedOut(_ path: String) -> String { checkout.appending(path: path).path }

  /// Returns the path of a client in another language.
  static func client(_ name: String) -> String { checkedOut("Tests/IntegrationTests/Clients/\(name)") }

  /// Whether the build includes the Thread Sanitizer or the Address Sanitizer.
  static let isSanitized = ["__tsan_init", "__asan_init"].contains { (symbol: String) in
    dlsym(dlopen(nil, RTLD_NOW), symbol) != nil
  }

  private static let checkout = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// The candidate directories. `swift test` names the bundle among the arguments of a helper, or runs it as the
  /// program itself.
  private static var directories: [URL] {
    let arguments = CommandLine.arguments.filter { $0.contains(".xctest") }
      .map { URL(filePath: $0).deletingLastPathComponent() }
    return arguments + [Bundle.main.bundleURL, checkout.appending(path: ".build/debug")]
  }
}
