import CoordinatorKit
import CoordinatorProvider
import Foundation
import TestFlows

/// Serves the flow of the benchmarks from a separate process; with `SLOW=1` in the environment, a flow whose handlers take five
/// seconds; with `NUMBER=7`, a flow `turn-7`.
@main
struct BenchProvider {
  static func main() async {
    let isSlow = ProcessInfo.processInfo.environment["SLOW"] != nil
    let number = Numbered.number
    await ProviderDaemon.run(name: "org.coordinatord.BenchProvider\(number)") { catalogue in
      if !number.isEmpty {
        try catalogue.add { Numbered() }
      } else if isSlow {
        try catalogue.add { Slow() }
      } else {
        catalogue = try .turn()
      }
    }
  }
}

/// A flow with the name of the process.
actor Numbered: Coordinator {
  static let number = ProcessInfo.processInfo.environment["NUMBER"] ?? ""
  static let flow = FlowDescription("turn-\(number)", title: "Turn")
  enum Route: Codable { case only }

  let context = Context()

  func start() { router.present(.only) }

  func screen(for route: Route) -> Screen { .message("numbered", title: "Numbered") }
}

/// A flow that keeps its provider busy without being called.
actor Slow: Coordinator {
  static let flow = FlowDescription("slow", title: "Slow")
  enum Route: Codable { case only }
  enum Timer: Codable { case again }

  let context = Context()

  func start() throws {
    router.present(.only)
    try startTimer(.again, after: .zero)
  }

  func screen(for route: Route) -> Screen { .message("slow", title: "Slow") }

  func timerFired(_ timer: Timer) throws {
    Thread.sleep(forTimeInterval: 5)
    try startTimer(.again, after: .zero)
  }
}
