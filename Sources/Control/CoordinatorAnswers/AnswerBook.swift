/// An answers file while it is being played: knows which answers have been used.
public struct AnswerBook: Sendable {
  /// A screen that asks, in its place.
  public struct Place: Sendable, Hashable {
    /// The flows of the coordinators from the root down to the screen's own.
    public var flows: [String]
    /// What tells the coordinator apart from others of its flow.
    public var coordinator: String
    /// The name of the screen.
    public var screen: String

    /// A screen in its place.
    public init(flows: [String], coordinator: String, screen: String) {
      self.flows = flows
      self.coordinator = coordinator
      self.screen = screen
    }
  }

  /// An answer that was found, to be given to ``use(_:)`` when it was taken.
  public struct Entry: Sendable, Hashable {
    /// The answer; never ``ScreenAnswer/unknown`` or ``ScreenAnswer/repeated(_:)``.
    public var answer: ScreenAnswer
    /// Where it stands.
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
  /// How many answers of a screen have been used.
  private var used: [Slot: Int] = [:]
  /// Which element of a list of coordinators each coordinator has, by the index of the flow.
  private var seats: [Int: [String: Int]] = [:]

  /// A file of which nothing has been used.
  public init(_ file: AnswersFile) { self.file = file }

  /// Finds the next answer to a screen.
  ///
  /// - Parameter place: The screen. Coordinators are told apart in the order in which they are asked about here.
  /// - Returns: The answer.
  /// - Throws: `NoAnswer` with the place where the file should have it.
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

  /// Takes note that the flow has taken an answer.
  public mutating func use(_ entry: Entry) { used[entry.slot, default: 0] += 1 }

  /// How often an answer that may be used without end has been used; 0 for any other.
  public func repetitions(of entry: Entry) -> Int { entry.isRepeated ? used[entry.slot] ?? 0 : 0 }

  /// Takes note that a person has answered a screen for which the file says, at this point, that its answer is not known.
  public mutating func skipUnknown(at place: Place) {
    for (_, index) in entries(for: place) {
      let seat = seat(of: place.coordinator, in: index, file.flows[index])
      guard let (slot, answers) = answers(at: place, in: index, seat: seat) else { continue }
      let position = used[slot] ?? 0
      if answers.indices.contains(position), answers[position] == .unknown { used[slot] = position + 1 }
      return
    }
  }

  /// The answers that nobody has asked for, in the order of the file.
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
      let screen = coordinators[seat].firstIndex(where: { $0.name == place.screen })
    else { return nil }
    return (Slot(flow: index, coordinator: seat, screen: screen), coordinators[seat][screen].answers)
  }

  /// What the file has for the flow of a screen, the longest name first: `shop/shop-main/product-details`,
  /// `shop-main/product-details`, `product-details`.
  private func entries(for place: Place) -> [(name: String, index: Int)] {
    place.flows.indices.compactMap { start in
      let name = place.flows[start...].joined(separator: "/")
      return file.flows.firstIndex { $0.name == name }.map { (name, $0) }
    }
  }
}

/// There is no answer to a screen in a file.
public struct NoAnswer: Error, Sendable, Hashable {
  /// Where it should be.
  public var key: AnswerKey
}
