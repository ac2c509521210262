import ArgumentParser
import CoordinatorKit
import CoordinatorScripts
import Flows
import Glibc
import Platform
import RendererKit

/// Lists the files in the directories of scripts, and what becomes of each.
struct FilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "List the files of the directories with scripts: the flow of each, or why it has none.",
    discussion: """
      Needs no daemon. With --system, lists the scripts of the system: those that run as this user and, for root, those that \
      run as root. Exits with 1 if a file has a mistake.
      """)

  @OptionGroup var place: ScriptPlaceOptions

  func run() throws {
    let files = ScriptFiles(place.places, of: place.owner(takesNameless: true), complain: { _ in })
    let own = Set(try FlowCatalogue.builtIn().builtInNames)
    var isFine = true
    for file in files.survey() {
      for script in file.scripts {
        let remark = own.contains(script.name) ? ", which is a flow of coordinatord, and left to it: rename the file" : ""
        StandardStreams.write("\(file.path): \(script.name)\(remark)\n".printableFile)
      }
      if let reason = file.reason { StandardStreams.write("\(file.path): \(reason)\n".printableFile) }
      if file.fault != nil { isFine = false }
    }
    if !isFine { throw ExitCode.failure }
  }
}

/// The options that select the scripts of a process.
struct ScriptPlaceOptions: ParsableArguments {
  @Flag(help: "Use the system bus, and only scripts that root owns; as root, only those that also run as root.")
  var system = false

  @Option(
    name: .customLong("flows"),
    help: ArgumentHelp("A directory with scripts, in place of the usual ones.", valueName: "directory"))
  var directories: [String] = []

  /// The directories.
  var places: ScriptPlaces {
    if !directories.isEmpty { return ScriptPlaces(directories.map(ServeCommand.absolute), isOfSystem: system) }
    return system ? .system : .user(environment: Environment.variables)
  }

  /// Whether root serves scripts of the system. Such a process serves no others: they must not run as root.
  var isForRoot: Bool { system && geteuid() == 0 }

  /// Returns whose scripts this process serves.
  ///
  /// - Parameter takesNameless: whether those are served that name no user, unless root serves.
  /// - Returns: the owner.
  func owner(takesNameless: Bool) -> ScriptOwner {
    ScriptOwner(user: ScriptOwner.ownName, takesNameless: takesNameless && !isForRoot, isRoot: isForRoot)
  }
}

extension String {
  /// The line without control characters but its end.
  fileprivate var printableFile: String { (bytes.dropping(suffix: "\n").map(String.init) ?? self).printable + "\n" }
}
