import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import Glibc

/// A process with a journal, for tests that kill it or fill its disk: `JournalWriter DIRECTORY TREES`.
///
/// It starts the trees, prints `ready`, and then executes the commands on stdin:
/// - `limit BYTES`: limits the size of its files, to simulate a full disk; `limit none` removes the limit.
/// - `count`: counts once in the first tree.
/// - `run`: counts in all trees, each as fast as possible, until the process is killed.
///
/// After each answer it prints `NAME COUNT`, or `refused REASON`.
struct JournalWriter {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let directory = arguments.first, let trees = arguments.last.flatMap({ Int($0) }) else { exit(64) }
    signal(SIGXFSZ, SIG_IGN)
    let journal: Journal
    do {
      journal = try Journal(JournalConfiguration(directory: directory))
    } catch {
      say("not opened: \(error)")
      exit(1)
    }
    let flows = try await start(trees, in: journal)
    say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "count": await count(in: flows.prefix(1))
      case "run": await count(in: flows[...], times: .max)
      case "limit": limit(words.last.flatMap { UInt($0) })
      default: exit(64)
      }
    }
    journal.close()
  }

  private static func start(_ count: Int, in journal: Journal) async throws -> [TestFlow] {
    var catalogue = FlowCatalogue()
    try catalogue.add { Tally() }
    var flows: [TestFlow] = []
    for number in 1...UInt64(max(count, 1)) {
      let name = "tally_\(number)"
      let root = StoredRoot(
        name: name, sequence: number, lastNumber: number, flow: "tally", digest: Digest(of: name), hasToken: false)
      flows.append(
        try await TestFlow.start("tally", in: catalogue, root: name, store: journal.store(of: root, in: catalogue)))
    }
    return flows
  }

  private static func count(in flows: ArraySlice<TestFlow>, times: Int = 1) async {
    await withDiscardingTaskGroup { group in
      for flow in flows {
        group.addTask {
          for _ in 0..<times {
            do {
              try await flow.send("count")
              say("\(flow.tree.root) \(try await flow.top.content.title)")
            } catch {
              say("refused \(error)")
            }
          }
        }
      }
    }
  }

  private static func limit(_ bytes: UInt?) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes ?? limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  /// Prints a line with one `write`, so that a kill never leaves part of a line.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}

/// A flow that counts events and shows the count.
actor Tally: Coordinator {
  static let flow = FlowDescription("tally", title: "Tally")
  enum Route: Codable { case main }
  struct State: FlowState { var count = 0 }

  let context = Context()

  func start() { router.present(.main) }

  func screen(for route: Route) -> Screen {
    .message("main", title: Text(verbatim: "\(state.count)"), actions: [Action("count", "Count")])
  }

  func receive(_ event: Event, on route: Route) throws { state.count += 1 }
}
