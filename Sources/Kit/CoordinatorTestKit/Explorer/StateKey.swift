import CoordinatorKit
import Platform

/// Identifies states of a flow that are equivalent for its user: what is shown, what the coordinators' states are, and
/// what work runs.
///
/// The numbers of screens and children are ignored, because they differ with every path to a state. Numbers in the
/// coordinators' states, and covered screens of one kind, count only up to a limit, so that exploring a flow that
/// counts or accumulates screens terminates.
struct StateKey: Hashable {
  private struct Place: Hashable {
    let parent: Int?
    let flow: String
    let input: [String: JSONValue]
    let router: RouterKind
    let state: JSONValue
    let work: [JSONValue]
    let timers: [JSONValue]
  }

  private struct Shown: Hashable {
    let place: Int?
    let route: JSONValue
    let name: String
    let style: ScreenStyle
    let layer: UInt32
    let canGoBack: Bool
    let isBusy: Bool
    let actions: [Action]
    let items: [String]
    let fields: [String]
    let values: JSONValue
    let messages: [[String?]]
  }

  private var places: [Place] = []
  private var screens: [Shown] = []
  private var text = ""

  /// Creates the key of a state from a description.
  ///
  /// - Parameter text: the same for equivalent states.
  init(_ text: String) { self.text = text }

  /// Creates the key of a state, with numbers clamped to the limit.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - limit: the limit.
  ///   - isOpaque: whether coordinators keep their states in texts, whose numbers then count likewise.
  init(_ state: TreeState, countingTo limit: Int, inTexts isOpaque: Bool = false) {
    let records = state.coordinatorsInOrder
    let indices = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.path, $0) })
    let names = Dictionary(uniqueKeysWithValues: indices.map { ($0.text, "child \($1)") })
    let abstraction = Abstraction(root: state.root.text + "/", names: names, limit: Int64(max(limit, 0)), isOpaque: isOpaque)
    var routes: [CoordinatorPath: [ScreenID: JSONValue]] = [:]
    places = records.map { record in
      let served = ServedParts(record)
      routes[record.path] = served?.routes
      return Place(
        parent: record.path.parent.flatMap { indices[$0] }, flow: record.flow, input: record.input, router: record.router,
        state: abstraction.apply(to: served?.state ?? JSONValue(describing: record.state)),
        work: (served?.work ?? record.work.map { JSONValue(describing: $0.work) }).map(abstraction.apply),
        timers: isOpaque ? record.timers.map { JSONValue(describing: $0.timer) } : [])
    }
    let shown = state.window.screens.map { screen in
      Shown(
        place: indices[screen.coordinator],
        route: routes[screen.coordinator]?[screen.id] ?? JSONValue(describing: screen.route), name: screen.content.name,
        style: screen.style, layer: screen.layer, canGoBack: screen.back, isBusy: screen.content.progress != nil,
        actions: screen.content.actions, items: screen.content.items?.map(\.id) ?? [],
        fields: screen.content.form?.order ?? [], values: abstraction.apply(to: .object(screen.content.values)),
        messages: screen.messages.map { [$0.level.rawValue, $0.code, $0.field] })
    }
    var counts: [Shown: Int] = [:]
    screens = shown.reversed().filter { screen in
      counts[screen, default: 0] += 1
      return counts[screen, default: 0] <= max(limit, 1)
    }
  }
}

/// Replaces details that do not make a difference.
private struct Abstraction {
  /// The prefix of the paths of all children.
  let root: String
  let names: [String: String]
  let limit: Int64
  let isOpaque: Bool

  func apply(to value: JSONValue) -> JSONValue {
    switch value {
    case .null, .boolean: value
    case .integer(let number): .integer(min(max(number, -limit), limit))
    case .number(let number): .number(min(max(number, -Double(limit)), Double(limit)))
    case .string(let text) where text.bytes.hasPrefix(root): .string(names[text] ?? "a child that has ended")
    case .string(let text): isOpaque ? .string(clamped(text)) : value
    case .array(let elements): .array(elements.map(apply))
    case .object(let members): .object(members.mapValues(apply))
    }
  }

  /// Clamps the numbers of up to nine digits within a text.
  private func clamped(_ text: String) -> String {
    var (result, digits) = ("", "")
    func flush() {
      result += digits.utf8.count > 9 ? digits : Int64(digits).map { "\(min($0, limit))" } ?? ""
      digits = ""
    }
    for scalar in text.unicodeScalars {
      if ("0"..."9").contains(scalar) {
        digits.unicodeScalars.append(scalar)
      } else {
        flush()
        result.unicodeScalars.append(scalar)
      }
    }
    flush()
    return result
  }
}

extension JSONValue {
  /// The encoded value, or its description as a string if it cannot be encoded.
  fileprivate init(describing value: some Encodable) {
    self = (try? JSONValue(encoding: value)) ?? .string(String(describing: value))
  }
}
