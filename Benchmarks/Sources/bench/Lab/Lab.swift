import Foundation

/// Where measurements are made: the programs, the buses, and how thorough to be.
struct Lab: Sendable {
  /// Whether to be done in two to four minutes, less exactly.
  var isQuick: Bool
  /// Which bus to use.
  var broker: Broker
  /// The directory of the programs that were built with this one.
  var programs: URL
  /// The directory of this package, where `make bench` runs: what is not built with this program is there.
  var package: URL
  /// Where to keep state: on a disk, since that of a memory file system costs nothing to sync.
  var scratch: URL
  /// Where plots are written; nil if they are not.
  var plots: URL?

  /// The path of a program that was built with this one.
  func program(_ name: String) -> String { programs.appending(path: name).path }

  /// The path of a file that is not built with this program.
  func file(_ path: String) -> String { package.appending(path: path).path }

  /// How often to do something.
  func times(_ thorough: Int, quick: Int) -> Int { isQuick ? quick : thorough }

  /// A new empty directory, which goes with the others when the run is over.
  func directory(_ name: String) throws -> String {
    let directory = scratch.appending(path: "\(name)-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory.path
  }

  /// Says on stderr what goes on.
  func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
