import ArgumentParser
import BusLoad
import CostProbe
import Foundation

/// The command line of `costs`.
public struct CostCommand: AsyncParsableCommand {
  /// The configuration of the command.
  public static let configuration = CommandConfiguration(
    commandName: "costs", abstract: "Measure the instructions and allocations that a call costs the daemon.",
    discussion: """
      The daemon is this program itself, running under valgrind's callgrind; it serves a minimal flow. The counts vary by at \
      most half a percent from run to run, however busy the machine is.
      """, subcommands: [CostCheck.self, CostRecord.self, CostDaemon.self])

  /// Creates the command, for the command-line parser to fill in.
  public init() {}
}

/// The options of both commands.
struct CostOptions: ParsableArguments {
  @Argument(help: "The file that stores the figures.")
  var file: String

  @Option(help: "The compiler that built this program.")
  var swift = "swift"

  /// The build configuration of this program, and the relative change that is tolerated. A debug build executes several
  /// times as many instructions for the same work, so the same change shows as a smaller fraction.
  static var build: (configuration: String, tolerance: Double) {
    #if DEBUG
      ("debug", 0.02)
    #else
      ("release", 0.05)
    #endif
  }

  static func compare(_ recorded: CostFile.Section, _ section: CostFile.Section) -> CostComparison {
    CostComparison(recorded, section, tolerance: build.tolerance)
  }

  func measure() async throws -> CostFile.Section {
    guard cost_probe_is_on() else {
      throw ValidationError("this build cannot measure: it was built with a sanitizer, or without glibc or valgrind")
    }
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return CostFile.Section(
      platform: try await Platform.read(swift: swift), scenarios: try await CostTrial(program: program).run())
  }
}

struct CostCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compare the current costs of calls with the recorded ones.",
    discussion: """
      Exit status: 0 if nothing has grown by more than 5 % (2 % in a debug build, which shows less of a change), or if the \
      compiler, libraries or architecture differ from those in the file, so that growth is only a warning; 1 otherwise.
      """)

  @OptionGroup var options: CostOptions

  func run() async throws {
    let sections = try CostFile(at: options.file).sections
    let recorded = sections[CostOptions.build.configuration] ?? CostFile.Section(platform: [:], scenarios: [:])
    let comparison = CostOptions.compare(recorded, try await options.measure())
    say("\(CostOptions.build.configuration) build\n\(comparison)")
    if comparison.verdict == .failed { throw ExitCode.failure }
  }
}

struct CostRecord: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the costs of calls in the file, for this build's configuration.")

  @OptionGroup var options: CostOptions

  func run() async throws {
    var file = FileManager.default.fileExists(atPath: options.file) ? try CostFile(at: options.file) : CostFile()
    let section = try await options.measure()
    if let recorded = file.sections[CostOptions.build.configuration] { say("\(CostOptions.compare(recorded, section))") }
    file.sections[CostOptions.build.configuration] = section
    try file.write(to: options.file)
  }
}
