import Platform

/// The state of an answers file while it is played: which answers have been used.
public struct AnswerBook: Sendable {
  /// The location of a screen that needs an answer.
  public struct Place: Sendable, Hashable {
    /// The flows of the coordinators, from the root to the one that owns the screen.
    public var flows: [String]
    /// The identity of the coordinator among others of its flow.
    public var coordinator: String
    /// The name of the screen.
    public var screen: String

    /// Creates a place.
    public init(flows: [String], coordinator: String, screen: String) {
      self.flows = flows
      self.coordinator = coordinator
      self.screen = screen
    }
  }

  /// An answer that was found. Pass it to ``use(_:)`` once the flow has accepted it.
  public struct Entry: Sendable, Hashable {
    /// The answer; never ``ScreenAnswer/unknown`` or ``ScreenAnswer/repeated(_:)``.
    public var answer: ScreenAnswer
    /// The location of the answer in the file.
    public var key: AnswerKey
    fileprivate let slot: Slot
    fileprivate let isRepeated: Bool
  }

  fileprivate struct Slot: Sendable, Hashable {
    let flow: Int
    let coordinator: Int
    let screen: Int
  }

  private let file: AnswersFile
  /// The number of used answers of each screen.
  private var used: [Slot: Int] = [:]
  /// The index that each coordinator has in its flow's list of coordinators, by the index of the flow.
  private var seats: [Int: [String: Int]] = [:]

  /// Creates a book of which no answer has been used.
  public init(_ file: AnswersFile) { self.file = file }

  /// Finds the next answer for a screen.
  ///
  /// - Parameter place: location of the screen. Coordinators of a flow are numbered in the order of their first query.
  /// - Returns: the answer.
  /// - Throws: ``NoAnswer`` with the key at which the file should have the answer.
  public mutating func answer(at place: Place) throws(NoAnswer) -> Entry {
    var missing: AnswerKey?
    for (name, index) in entries(for: place) {
      let flow = file.flows[index]
      let seat = seat(of: place.coordinator, in: index, flow)
      var key = AnswerKey(flow: name, coordinator: flow.isList ? seat : nil, screen: place.screen)
      guard let (slot, answers) = answers(at: place, in: index, seat: seat) else {
        if flow.isList { missing = missing ?? key }
        continue
      }
      if case .repeated(let answer)? = answers.first {
        return Entry(answer: answer, key: key, slot: slot, isRepeated: true)
      }
      let position = used[slot] ?? 0
      if answers.count > 1 || position > 0 { key.position = position }
      guard answers.indices.contains(position), answers[position] != .unknown else {
        missing = missing ?? key
        continue
      }
      return Entry(answer: answers[position], key: key, slot: slot, isRepeated: false)
    }
    throw NoAnswer(key: missing ?? AnswerKey(flow: place.flows.last ?? "", screen: place.screen))
  }

  /// Marks an answer as used.
  public mutating func use(_ entry: Entry) { used[entry.slot, default: 0] += 1 }

  /// Returns how often a repeated answer has been used; 0 for any other answer.
  public func repetitions(of entry: Entry) -> Int { entry.isRepeated ? used[entry.slot] ?? 0 : 0 }

  /// Skips the answer of a screen if it is unknown at this point, because the user has answered the screen.
  public mutating func skipUnknown(at place: Place) {
    for (_, index) in entries(for: place) {
      let seat = seat(of: place.coordinator, in: index, file.flows[index])
      guard let (slot, answers) = answers(at: place, in: index, seat: seat) else { continue }
      let position = used[slot] ?? 0
      if answers.indices.contains(position), answers[position] == .unknown { used[slot] = position + 1 }
      return
    }
  }

  /// The answers that have not been used, in the order of the file.
  public var unused: [AnswerKey] {
    var result: [AnswerKey] = []
    for (index, flow) in file.flows.enumerated() {
      for (seat, screens) in flow.coordinators.enumerated() {
        for (number, screen) in screens.enumerated() {
          let count = used[Slot(flow: index, coordinator: seat, screen: number)] ?? 0
          guard count < screen.answers.count else { continue }
          for (position, answer) in screen.answers.enumerated().dropFirst(count) where answer != .unknown {
            result.append(
              AnswerKey(
                flow: flow.name, coordinator: flow.isList ? seat : nil, screen: screen.name,
                position: screen.isList ? position : nil))
          }
        }
      }
    }
    return result
  }

  private mutating func seat(of coordinator: String, in index: Int, _ flow: AnswersFile.Flow) -> Int {
    guard flow.isList else { return 0 }
    if let seat = seats[index]?[coordinator] { return seat }
    let seat = seats[index]?.count ?? 0
    seats[index, default: [:]][coordinator] = seat
    return seat
  }

  private func answers(at place: Place, in index: Int, seat: Int) -> (slot: Slot, answers: [ScreenAnswer])? {
    let coordinators = file.flows[index].coordinators
    guard coordinators.indices.contains(seat),
      let screen = coordinators[seat].firstIndex(where: { $0.name.bytes.equals(place.screen) })
    else { return nil }
    return (Slot(flow: index, coordinator: seat, screen: screen), coordinators[seat][screen].answers)
  }

  /// Returns the file's entries for the flow of a screen, the longest name first: `shop/shop-main/product-details`,
  /// `shop-main/product-details`, `product-details`.
  private func entries(for place: Place) -> [(name: String, index: Int)] {
    place.flows.indices.compactMap { start in
      let name = place.flows[start...].joined(separator: "/")
      return file.flows.firstIndex { $0.name.bytes.equals(name) }.map { (name, $0) }
    }
  }
}

/// The error for a screen without an answer in the file.
public struct NoAnswer: Error, Sendable, Hashable {
  /// The key at which the answer should be.
  public var key: AnswerKey
}

/// The location of an answer in an answers file.
public struct AnswerKey: Sendable, Hashable {
  /// The name of the flow as written in the file.
  public var flow: String
  /// The index of the coordinator, counted from 0, if the file distinguishes the flow's coordinators.
  public var coordinator: Int?
  /// The name of the screen.
  public var screen: String
  /// The index of the answer, counted from 0, if the screen has several.
  public var position: Int?

  /// Creates a key.
  public init(flow: String, coordinator: Int? = nil, screen: String, position: Int? = nil) {
    self.flow = flow
    self.coordinator = coordinator
    self.screen = screen
    self.position = position
  }

  /// The key of the answer before this one to the same screen; nil if this one is the first.
  public var former: AnswerKey? {
    guard let position, position > 0 else { return nil }
    var former = self
    // The only answer to a screen is written without a list.
    former.position = position == 1 ? nil : position - 1
    return former
  }

  /// The keys from the outermost to the innermost; `#2` is the second element of a list.
  public var path: [String] {
    ["answers", flow] + (coordinator.map { ["#\($0 + 1)"] } ?? []) + [screen] + (position.map { ["#\($0 + 1)"] } ?? [])
  }
}

extension AnswerKey: CustomStringConvertible {
  /// The key for users: `answers: schedule-visit: select-pain-level`.
  public var description: String { path.joined(separator: ": ") }
}
