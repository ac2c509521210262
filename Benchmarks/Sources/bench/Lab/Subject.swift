/// A daemon that is measured.
struct Subject: Sendable, Hashable {
  /// The name in the table.
  var title: String
  /// The bus name that it takes.
  var name: String
  /// The program and its arguments.
  var command: [String]

  /// coordinatord with the flow of the benchmarks.
  static func ours(_ lab: Lab, _ options: [String] = ["--ephemeral"]) -> Subject {
    Subject(
      title: "coordinatord", name: "org.coordinatord.Coordinator1",
      command: [lab.program("bench-daemon"), "--log-level", "error"] + options)
  }

  /// The C program on libdbus; with `store` it writes so many bytes to a file and calls fdatasync for each change.
  /// Without a bus it is one that a bus starts.
  static func bare(_ lab: Lab, _ bus: Bus?, store: (file: String, bytes: Int)? = nil) -> Subject {
    let name = "org.coordinatord.Bare1"
    let options = store.map { ["--store", $0.file, String($0.bytes)] } ?? []
    return Subject(title: "bare C", name: name, command: [lab.program("bare-daemon"), bus?.address ?? "starter", name] + options)
  }
}
