import Foundation

/// The environment of measurements: the programs, the buses, and the thoroughness.
struct Lab: Sendable {
  /// Whether to finish in two to four minutes, with less exact figures.
  var isQuick: Bool
  /// The bus to use.
  var broker: Broker
  /// The directory of the programs that were built with this one.
  var programs: URL
  /// The directory of this package, where `make bench` runs: what is not built with this program is there.
  var package: URL
  /// The directory for state: on a disk, because syncing costs nothing on a memory file system.
  var scratch: URL
  /// The directory for plots; nil if none are written.
  var plots: URL?

  /// The path of a program that was built with this one.
  func program(_ name: String) -> String { programs.appending(path: name).path }

  /// The path of a file that is not built with this program.
  func file(_ path: String) -> String { package.appending(path: path).path }

  /// Returns the number of repetitions.
  func times(_ thorough: Int, quick: Int) -> Int { isQuick ? quick : thorough }

  /// Creates an empty directory, which is removed at the end of the run.
  func directory(_ name: String) throws -> String {
    let directory = scratch.appending(path: "\(name)-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory.path
  }

  /// Reports progress on stderr.
  func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
