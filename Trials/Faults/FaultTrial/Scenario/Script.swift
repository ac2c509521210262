import CoordinatorKit

/// The moves that are played on the trees of the test daemon, the same each time.
struct Script {
  /// A move of a user.
  enum Move: Hashable {
    case start
    /// Sends an action of the top screen.
    case press(String, [String: JSONValue] = [:])
    /// Sends an action that starts work, and waits for the end of the work.
    case work(String, [String: JSONValue] = [:])
    case draft([String: JSONValue])
    case back
    /// Dismisses the coordinator of the top screen.
    case dismiss
    case child(String)
  }

  /// A move on a tree.
  struct Step {
    var tree: Int
    var move: Move
  }

  /// A tree and its moves.
  struct Tree {
    var token: String
    var flow: String
    var moves: [Move]
  }

  /// A version of the daemon.
  enum Version: String, Sendable, Hashable {
    /// The version that stored all data.
    case whole
    /// A version that lacks the flow of some children.
    case withoutParcels
    /// A version with an older version of a flow.
    case older

    /// The command-line options that select the version.
    var options: [String] {
      switch self {
      case .whole: []
      case .withoutParcels: ["--without", "parcel"]
      case .older: ["--depot-version", "1"]
      }
    }

    /// The flow whose coordinators this version cannot restore.
    var unknownFlow: String? {
      switch self {
      case .whole: nil
      case .withoutParcels: "parcel"
      case .older: "depot"
      }
    }
  }

  /// The way in which a life of the daemon ends.
  enum Ending: Sendable, Hashable { case killed, stopped }

  /// The part of the scenario that is played in one life of the daemon.
  struct Part {
    var version: Version
    var steps: [Step]
    var ending: Ending
  }

  private static let depots = 6
  private static let cabinets = 3

  private static let blocks: [[Move]] = [
    [.press("add"), .press("add")],
    [
      .press("note"), .draft(["text": "Half a"]), .draft(["text": "Half a note", "urgent": true]),
      .press("keep", ["text": "A note that is long enough to be worth a page or two of its own."]),
    ],
    [.work("tally")],
    [.press("parcel"), .press("pack"), .press("pack"), .press("weigh"), .press("send")],
    [.press("vault"), .work("open", ["pin": "123456"]), .back],
    [.press("modal-parcel"), .press("pack"), .back],
    [.child("parcel"), .press("pack"), .dismiss],
  ]

  /// All trees.
  static let trees: [Tree] =
    (0..<depots).map { number in
      let rotated = blocks[(number % blocks.count)...] + blocks[..<(number % blocks.count)]
      let end: [Move] = number < 2 ? [.press("close")] : number == 2 ? [.dismiss] : [.press("add")]
      return Tree(token: "depot_\(number)", flow: "depot", moves: [.start] + rotated.flatMap(\.self) + [.press("add")] + end)
    }
    + (0..<cabinets).map { number in
      let moves = (0..<19).map { Move.press($0 % 4 == 3 ? "next" : "file") }
      return Tree(token: "cabinet_\(number)", flow: "cabinet", moves: [.start] + moves + [number == 0 ? .press("shut") : .back])
    }

  /// Returns the whole scenario: about two hundred calls in five lives.
  ///
  /// - Parameter hasDowngrade: whether two of the lives are of daemons that cannot restore all trees.
  /// - Returns: the parts, one for each life.
  static func parts(hasDowngrade: Bool) -> [Part] {
    var taken = trees.map { _ in 0 }
    func take(_ count: Int, of chosen: Range<Int>) -> [Step] {
      (0..<count).flatMap { _ in
        chosen.compactMap { tree in
          guard taken[tree] < trees[tree].moves.count else { return nil }
          defer { taken[tree] += 1 }
          return Step(tree: tree, move: trees[tree].moves[taken[tree]])
        }
      }
    }
    let (all, others) = (0..<trees.count, depots..<trees.count)
    return [
      Part(version: .whole, steps: take(9, of: all), ending: .killed),
      Part(version: .whole, steps: take(5, of: all), ending: .stopped),
      Part(version: hasDowngrade ? .withoutParcels : .whole, steps: take(2, of: others), ending: .killed),
      Part(version: hasDowngrade ? .older : .whole, steps: take(2, of: others), ending: .stopped),
      Part(version: .whole, steps: take(100, of: all), ending: .stopped),
    ]
  }
}
