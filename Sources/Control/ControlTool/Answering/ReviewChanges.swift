import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// The answers under review that can be changed now, by the screens on which they were given.
struct ReviewChanges: Sendable, Hashable {
  /// A screen that can be shown again.
  struct Target: Sendable, Hashable {
    var id: UInt64
    /// The name of the screen; nil if the screen is not known.
    var name: String?
    /// The questions and answers on the screen: `Name: Ada`.
    var answers: [String]
  }

  /// The screens in the order of the review, each once.
  let targets: [Target]

  /// Finds the answers that can be changed.
  ///
  /// - Parameters:
  ///   - screen: screen that shows the review.
  ///   - others: all screens of the window, which give the names.
  init(on screen: Screen, among others: [PresentedScreen]) {
    var targets: [Target] = []
    // While a screen is busy, its answers are in use.
    for row in screen.progress == nil ? screen.review : [] {
      guard let id = row.screen?.number else { continue }
      let answer = "\(row.title): \(row.value.bytes.split(separator: "\n").joined(separator: ", "))"
      if let index = targets.firstIndex(where: { $0.id == id }) {
        targets[index].answers.append(answer)
      } else {
        targets.append(Target(id: id, name: others.first { $0.id == id }?.screen.name, answers: [answer]))
      }
    }
    self.targets = targets
  }

  /// The names of the screens, each once.
  var names: [String] { targets.compactMap(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

  /// Returns the id of a named screen; if there are several, the topmost one.
  func id(named name: String) -> UInt64? { targets.last { $0.name?.bytes.equals(name) == true }?.id }

  /// The payload of `change` that shows a screen again.
  static func payload(_ id: UInt64) -> [String: JSONValue] { ["id": .integer(Int64(clamping: id))] }

  /// Lines for users that list what can be sent.
  var advice: [String] {
    guard !targets.isEmpty else { return [] }
    return ["  answers that can be changed:"]
      + targets.map { "    change id=\($0.name ?? "\($0.id)")   # \($0.answers.joined(separator: "; "))".printable }
  }
}
