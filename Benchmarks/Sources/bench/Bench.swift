import ArgumentParser
import Foundation

/// Measures coordinatord beside a C program that does the same bus work.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures coordinatord beside a C program that does the same bus work.",
    discussion: """
      Both run on one bus of the run's own and take turns; a ratio is the median of those of the pairs. Nothing else should run on the \
      machine meanwhile.

      Exit status: 0 if all was measured, whether or not it is as fast as asked; 1 otherwise.
      """)

  @Flag(help: "Be done in two to four minutes, and less exact.")
  var quick = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("What to measure; everything but 'million' unless given: \(Self.names).", valueName: "name"))
  var only: [String] = []

  @Option(help: "The program that is the bus.")
  var bus = Broker.daemon

  @Option(help: ArgumentHelp("Where to keep state while it runs: a directory on a disk.", valueName: "directory"))
  var scratch = ".build/scratch"

  @Option(help: ArgumentHelp("Write the table and the machine's description between the marks of this file.", valueName: "file"))
  var write: String?

  @Option(help: ArgumentHelp("The same without targets, for users.", valueName: "file"))
  var summary: String?

  @Option(help: ArgumentHelp("Write the plots of 'growth' to this directory.", valueName: "directory"))
  var plots: String?

  private static let all: [any Measurement.Type] = [
    RoundTrip.self, Journal.self, FanOut.self, ManyTrees.self, WideAndDeep.self, Start.self, Idle.self, Providers.self,
    Peers.self, Growth.self, Million.self,
  ]
  /// Measurements that run only on request.
  private static let onlyIfAsked = [Million.name]
  private static var names: String { all.map { $0.name }.joined(separator: ", ") }

  func validate() throws {
    for name in only where !Self.all.contains(where: { $0.name == name }) {
      throw ValidationError("nothing is called '\(name)'; there are \(Self.names)")
    }
  }

  private func isWanted(_ name: String) -> Bool { only.isEmpty ? !Self.onlyIfAsked.contains(name) : only.contains(name) }

  func run() async throws {
    let scratch = URL(filePath: scratch).absoluteURL
    try? FileManager.default.removeItem(at: scratch)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let lab = Lab(
      isQuick: quick, broker: bus, programs: Bundle.main.bundleURL, package: URL(filePath: "").absoluteURL, scratch: scratch,
      plots: plots.map { URL(filePath: $0).absoluteURL })
    var table = Table(sections: [])
    for measurement in Self.all where isWanted(measurement.name) {
      lab.say("\(measurement.name): \(measurement.title)")
      table.sections.append((measurement.title, try await measurement.init().run(lab)))
    }
    print(table.text)
    if let write { try Report.write(table.markdown, measuredOn: await Machine(lab), to: write) }
    if let summary { try Report.write(table.summary, measuredOn: await Machine(lab), to: summary) }
  }
}
