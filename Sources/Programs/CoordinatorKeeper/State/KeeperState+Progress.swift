import CoordinatorKit
import Forms
import ProgramQuestions

extension KeeperState {
  /// The progress of the program, and the last lines of its output.
  var progress: JSONValue {
    var progress: [String: JSONValue] = [:]
    progress["fraction"] = (display?.screen.progress?.fraction).map { JSONValue($0) }
    progress["text"] = (display?.screen.progress?.text).map(JSONValue.string)
    progress["screen"] = display.map { ControlReply.screen($0.screen) }
    progress["lines"] = .array(tail.lines(rows).map { .string($0) })
    return .object(progress)
  }

  /// Shows a screen until the next one.
  mutating func show(_ display: Display) -> [KeeperEffect] {
    guard self.display != display else { return [] }
    self.display = display
    return tellProgress()
  }

  /// Removes the screen of a connection.
  mutating func hide(_ id: ConnectionID) -> [KeeperEffect] {
    guard let display, display.source == id, !display.stays else { return [] }
    self.display = nil
    return tellProgress()
  }

  /// Shows apt's progress.
  mutating func receive(fromApt id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    apts[id]?.append(bytes)
    var progress: Progress?
    // Only the last line counts.
    while let line = apts[id]?.popLine() {
      progress = AptStatus(String(decoding: line, as: UTF8.self))?.progress ?? progress
    }
    guard let progress else { return [] }
    return show(Display(source: id, screen: .progress("", title: "", progress: progress), stays: false))
  }

  /// Sends the progress to the watchers: at once, or when the minimum interval since the last message has passed.
  mutating func tellProgress() -> [KeeperEffect] {
    guard !progressIsDue else {
      progressIsNews = true
      return []
    }
    let watchers = controls.keys.filter { controls[$0]?.watches != nil }.sorted()
    guard !watchers.isEmpty, visible == .working else { return [] }
    progressIsDue = true
    let line = ControlReply.line(["progress": progress])
    return watchers.map { .send($0, line) } + [.wait(.progress, milliseconds: times.progress)]
  }

  mutating func take(_ timer: KeeperTimer) -> [KeeperEffect] {
    switch timer {
    case .progress:
      progressIsDue = false
      guard progressIsNews else { return [] }
      progressIsNews = false
      return tellProgress()
    case .quiet: return lookForPrompt()
    case .silent(let id): return closeIfSilent(id)
    case .shown(let id):
      let effects = calls[id]?.timePassed() ?? []
      return obey(effects, of: id)
    case .unanswered(let question): return timePassed(question)
    case .patience: return endFurther()
    case .unfetched: return [.leave]
    }
  }
}
