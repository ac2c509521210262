import CoordinatorProvider

/// Serves the flows of the crash trial from a separate process, which the trial kills as well.
struct CrashProvider {
  static func main() async {
    await ProviderDaemon.run(name: "org.coordinatord.CrashProvider") { $0 = try .crash() }
  }
}
