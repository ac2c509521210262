import TestBus

/// The usual alternatives. Each is a program with the flow of the benchmarks, written in the style of its library.
enum Peer: CaseIterable {
  case gdbus
  case dbusFast
  case dasbus

  /// The Python interpreter with the libraries.
  private static let python = ".venv/bin/python"

  /// The language and the library.
  var title: String {
    switch self {
    case .gdbus: "C on GDBus"
    case .dbusFast: "Python on dbus-fast"
    case .dasbus: "Python on dasbus"
    }
  }

  /// Returns the program on a bus.
  func subject(_ lab: Lab, _ bus: Bus) -> Subject {
    let name = "org.coordinatord.Peer1"
    let program =
      switch self {
      case .gdbus: [lab.program("gdbus-daemon")]
      case .dbusFast: [lab.file(Self.python), lab.file("Peers/dbus_fast_daemon.py")]
      case .dasbus: [lab.file(Self.python), lab.file("Peers/dasbus_daemon.py")]
      }
    return Subject(title: title, name: name, command: program + [bus.address, name])
  }

  /// Returns the reason why it cannot run here; nil if it can.
  func obstacle(_ lab: Lab) async -> String? {
    let library: String
    switch self {
    case .gdbus: return nil  // built with this program
    case .dbusFast: library = "dbus_fast"
    case .dasbus: library = "dasbus.connection"
    }
    do {
      let report = try await Program.run([lab.file(Self.python), "-c", "import \(library)"])
      guard report.status != .exited(0) else { return nil }
      return report.errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? "\(report)"
    } catch {
      return "\(lab.file(Self.python)) cannot be started"
    }
  }
}
