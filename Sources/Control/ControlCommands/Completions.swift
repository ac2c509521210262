import ArgumentParser
import ControlTool
import CoordinatorBus

/// Completes words of a command line from the daemon's data.
extension CompletionKind {
  static var flows: CompletionKind { known(.flows) }
  static var starting: CompletionKind { known(.starting) }
  static var trees: CompletionKind { known(.trees) }
  static var flowsAndTrees: CompletionKind { known(.flowsAndTrees) }
  static var ended: CompletionKind { known(.ended) }
  static var tokens: CompletionKind { known(.tokens) }
  static var screens: CompletionKind { known(.screens) }
  static var sending: CompletionKind { known(.sending) }

  private static func known(_ target: CompletionTarget) -> CompletionKind {
    .custom { words, index, _ in
      let shell = CompletionShell.requesting.flatMap { CompletingShell(rawValue: $0.rawValue) }
      let line = CompletionWords(words, at: index, isSplit: shell == .bash)
      if let text = line.daemon, let daemon = try? DaemonName(text) { DaemonName.choose(daemon) }
      let candidates = await Completion(line).candidates(target)
      return shell.map { candidates.compactMap($0.line) } ?? candidates
    }
  }
}
