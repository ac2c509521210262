import CoordinatorProvider
import CrashFlows

/// Serves the flows of the crash trial from a separate process, which the trial kills as well.
@main
struct CrashProvider {
  static func main() async {
    await ProviderDaemon.run(name: "org.coordinatord.CrashProvider") { $0 = try .crash() }
  }
}
