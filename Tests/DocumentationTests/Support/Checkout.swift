import Foundation

/// The files of this checkout, by their paths from the top directory.
enum Checkout {
  private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  /// Returns the lines of a file.
  static func lines(of path: String) throws -> [Substring] {
    try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Whether a file or directory exists at a path.
  static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appending(path: path).path) }

  /// Returns all documents, except for those of build products and fetched packages.
  static func documents() throws -> [String] {
    try files(in: ["Docs", "Examples", "Python", "Packaging"], endingWith: ".md")
      + FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }.sorted()
  }

  /// Returns all Swift sources below some directories, as `make check` compiles them, except for fetched packages and
  /// build products.
  static func swiftSources(in directories: [String]) throws -> [String] { try files(in: directories, endingWith: ".swift") }

  private static func files(in directories: [String], endingWith end: String) throws -> [String] {
    var found: [String] = []
    for directory in directories {
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: directory).path)
      where path.hasSuffix(end) && !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
        found.append("\(directory)/\(path)")
      }
    }
    return found.sorted()
  }
}
