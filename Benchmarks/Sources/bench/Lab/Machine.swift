import Foundation
import TestBus

/// The machine on which the figures were measured.
struct Machine {
  /// A line of Markdown.
  var description: String

  /// Reads the description from the system.
  init(_ lab: Lab) async {
    let processors = Self.lines("/proc/cpuinfo").filter { $0.hasPrefix("model name") }
    let model =
      processors.first?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processor unknown"
    let release = Self.lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    let kernel = Self.lines("/proc/sys/kernel/osrelease").first ?? "?"
    let isVirtual = Self.lines("/proc/cpuinfo").contains { $0.hasPrefix("flags") && $0.contains(" hypervisor") }
    let swift = await Self.output(["swift", "--version"]).split(separator: "(").first.map(String.init) ?? ""
    let libdbus = await Self.output(["pkg-config", "--modversion", "dbus-1"])
    description = [
      "\(processors.count) × \(model)\(isVirtual ? ", a virtual machine" : "")", release ?? "", "Linux \(kernel)",
      "libdbus \(libdbus)",
      swift, "bus: \(lab.broker.rawValue)",
    ].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private static func lines(_ path: String) -> [String] {
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(whereSeparator: \.isNewline).map(String.init) ?? []
  }

  private static func output(_ command: [String]) async -> String {
    (try? await Program.run(command).output)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }
}
