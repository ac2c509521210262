import CDBus
import CostProbe
import TestBus

/// The properties that the counts depend on besides this project's code.
enum Platform {
  /// Returns the platform's properties by name. `swift` is the path or name of the compiler.
  static func read(swift: String) async throws -> [String: String] {
    var (major, minor, micro) = (Int32(), Int32(), Int32())
    dbus_get_version(&major, &minor, &micro)
    let version = try await Program.run([swift, "--version"]).output
    return [
      "architecture": architecture, "glibc": String(cString: cost_probe_libc_version()), "libdbus": "\(major).\(minor).\(micro)",
      "swift": version.split(whereSeparator: \.isWhitespace).first { $0.first?.isNumber ?? false }.map(String.init) ?? "?",
    ]
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }
}
