import ConfigurationFiles
public import CoordinatorBus
import CoordinatorKit
import Platform

/// The combined contents of all provider files: the file that serves each flow. A value that makes decisions;
/// ``read(_:isBuiltIn:)`` reads the files.
package struct ProviderFiles: Sendable {
  /// The file that serves a flow, and its description of the flow.
  package struct Entry: Sendable {
    package let file: ProviderFile
    package let flow: RegisteredFlow
  }

  /// A flow of a file that is served otherwise.
  package struct Loss: Sendable, Hashable {
    package let flow: String
    /// The reason: another file takes precedence, or the flow is built in.
    package let reason: String
  }

  /// The files without problems, in descending precedence.
  package let files: [ProviderFile]
  /// The files that cannot be used, in descending precedence.
  package let faulty: [ProviderFile.Reading]
  /// The problems with whole directories.
  package let problems: [ConfigurationProblem]
  /// The entries, by the name of the flow.
  package let entries: [String: Entry]
  /// The flows that are served otherwise, by the path of the file.
  package let losses: [String: [Loss]]

  /// No files.
  package static let none = ProviderFiles([])

  /// Merges files: the first one that names a flow serves it. A file with problems serves no flow.
  ///
  /// - Parameters:
  ///   - readings: the files, in descending precedence.
  ///   - problems: the problems with whole directories.
  ///   - isBuiltIn: whether the daemon itself serves a flow, which cannot be replaced.
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
  /// In a directory, files are read in the order of their names. One that is empty, like a link to `/dev/null`, hides those of
  /// the same name in later directories.
  ///
  /// - Parameters:
  ///   - places: the directories.
  ///   - isBuiltIn: whether the daemon itself serves a flow.
  /// - Returns: the combined contents.
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

/// A flow as its provider describes it: in a file, or in a call.
package struct RegisteredFlow: Sendable {
  package let description: FlowDescription
  package let schemas: FlowSchemas
  /// The version of the program's own state.
  package let version: UInt32
  /// Whether its coordinators are notified when a user starts or stops viewing their screens.
  package let wantsLooking: Bool
  /// The time limit of one `Decide`.
  package let deadline: Duration
  /// The size of the description as received or as listed, whichever is larger, in bytes; 0 for one from a file.
  package let size: Int

  /// Creates a flow. Properties that a file cannot contain have defaults.
  package init(
    description: FlowDescription, schemas: FlowSchemas, version: UInt32, wantsLooking: Bool = false, deadline: Duration,
    size: Int = 0
  ) {
    (self.description, self.schemas, self.version) = (description, schemas, version)
    (self.wantsLooking, self.deadline, self.size) = (wantsLooking, deadline, size)
  }

  /// Returns whether another description is the same.
  package func isSame(as other: RegisteredFlow) -> Bool {
    description == other.description && schemas == other.schemas && version == other.version && deadline == other.deadline
      && wantsLooking == other.wantsLooking
  }
}

/// The directories with provider files.
public struct ProviderPlaces: Sendable, Hashable {
  /// The paths of the directories, in descending precedence.
  public var directories: [String]

  /// Creates a list of directories, in descending precedence; none by default.
  public init(_ directories: [String] = []) {
    var known: Set<TextBytes> = []
    self.directories = directories.filter { known.insert($0.bytes).inserted }
  }

  /// Returns the directories of a user's daemon: `coordinatord/providers` in those of `$XDG_CONFIG_HOME`, `$XDG_CONFIG_DIRS`,
  /// `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, regardless of the program's name: these providers offer flows to the owner of
  /// coordinatord's name on the bus. A daemon with a different name on the bus has its own directories, because a provider
  /// serves flows to one daemon.
  ///
  /// Relative paths in these variables are ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Parameters:
  ///   - environment: the environment variables of the process.
  ///   - daemon: the daemon.
  /// - Returns: the directories.
  public static func user(environment: [String: String], of daemon: DaemonName = .standard) -> ProviderPlaces {
    let directories = BaseDirectories(environment: environment)
    return ProviderPlaces(below: directories.configuration + directories.data, of: daemon)
  }

  /// The directories of the system's daemon.
  public static let system = system(of: .standard)

  /// Returns the directories of a daemon on the system bus.
  public static func system(of daemon: DaemonName) -> ProviderPlaces {
    ProviderPlaces(below: ["/etc", "/run", "/usr/local/share", "/usr/share"], of: daemon)
  }

  private init(below directories: [String], of daemon: DaemonName) {
    self.init(directories.map { ($0.bytes.hasSuffix("/") ? $0 : $0 + "/") + "\(daemon)/providers" })
  }
}
