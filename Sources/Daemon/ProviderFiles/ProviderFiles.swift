import ConfigurationFiles
import Platform

/// What all provider files together say: who serves which flow. A value that decides; ``read(_:isBuiltIn:)`` reads the
/// files.
package struct ProviderFiles: Sendable {
  /// The file that a flow is served by, and what it says of the flow.
  package struct Entry: Sendable {
    package let file: ProviderFile
    package let flow: RegisteredFlow
  }

  /// A flow of a file that the file does not get.
  package struct Loss: Sendable, Hashable {
    package let flow: String
    /// Why: another file comes first, or the flow is built in.
    package let reason: String
  }

  /// The files without problems, in descending precedence.
  package let files: [ProviderFile]
  /// The files that cannot be used, in descending precedence.
  package let faulty: [ProviderFile.Reading]
  /// The problems with whole directories.
  package let problems: [ConfigurationProblem]
  /// Who serves which flow.
  package let entries: [String: Entry]
  /// The flows that files do not get, by the path of the file.
  package let losses: [String: [Loss]]

  /// No files.
  package static let none = ProviderFiles([])

  /// Merges files: the first one that names a flow gets it. One with problems gets nothing.
  ///
  /// - Parameters:
  ///   - readings: the files, in descending precedence.
  ///   - problems: the problems with whole directories.
  ///   - isBuiltIn: whether the daemon itself serves a flow, which nothing can replace.
  package init(
    _ readings: [ProviderFile.Reading], problems: [ConfigurationProblem] = [],
    isBuiltIn: (String) -> Bool = { _ in false }
  ) {
    files = readings.compactMap(\.file)
    faulty = readings.filter { !$0.problems.isEmpty }
    self.problems = problems
    var entries: [String: Entry] = [:]
    var losses: [String: [Loss]] = [:]
    for file in files {
      for flow in file.flows {
        let name = flow.description.name
        if isBuiltIn(name) {
          losses[file.path, default: []].append(Loss(flow: name, reason: "\(name) is built into the daemon"))
        } else if let first = entries[name] {
          losses[file.path, default: []].append(Loss(flow: name, reason: "\(name) is served by \(first.file.path)"))
        } else {
          entries[name] = Entry(file: file, flow: flow)
        }
      }
    }
    (self.entries, self.losses) = (entries, losses)
  }

  /// Returns the first file of a bus name.
  package func file(of busName: String) -> ProviderFile? { files.first { $0.busName == busName } }

  /// Returns the users, besides root, who may own a bus name on the system bus.
  package func users(of busName: String) -> Set<UInt32> {
    Set(files.filter { $0.busName == busName }.compactMap(\.user))
  }

  /// The bus names of all files.
  package var busNames: Set<String> { Set(files.map(\.busName)) }

  /// All problems of files and directories, each with its place.
  package var allProblems: [ConfigurationProblem] { problems + faulty.flatMap(\.problems) }
}

extension ProviderFiles {
  /// Reads the files of some directories. Blocks.
  ///
  /// In a directory, files are read in the order of their names. One that is empty, like a link to `/dev/null`, hides
  /// those of the same name in later directories.
  ///
  /// - Parameters:
  ///   - places: the directories.
  ///   - isBuiltIn: whether the daemon itself serves a flow.
  /// - Returns: what they say.
  package static func read(_ places: ProviderPlaces, isBuiltIn: (String) -> Bool) -> ProviderFiles {
    var readings: [ProviderFile.Reading] = []
    var problems: [ConfigurationProblem] = []
    var hidden: Set<TextBytes> = []
    for directory in places.directories {
      let names: [String]
      do { names = try ConfigurationDisk.dropIns(in: directory) } catch {
        problems.append(ConfigurationProblem("cannot be read: \(error.reason)", with: directory))
        continue
      }
      for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !hidden.contains(name.bytes) {
        let reading = ProviderFile.read("\(directory)/\(name)")
        if reading.isEmpty { hidden.insert(name.bytes) } else { readings.append(reading) }
      }
    }
    return ProviderFiles(readings, problems: problems, isBuiltIn: isBuiltIn)
  }
}
