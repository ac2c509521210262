import CoordinatorProvider
import Flows

/// Serves the flows that ship with coordinatord from a separate process.
struct FlowsProvider {
  static func main() async { await ProviderDaemon.run { $0 = try .builtIn() } }
}
