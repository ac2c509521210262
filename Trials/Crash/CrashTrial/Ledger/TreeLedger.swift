import CoordinatorKit
import DBus

/// What a client knows of a flow tree of its own: how it stood when the daemon last said so, and the call that is in doubt, if one is.
///
/// A value that judges: it makes no call itself. A call is in doubt from the moment it is made until it is answered. When the daemon has
/// been killed meanwhile, the tree may stand as before that call or as after it, and in no other way; and once it was found to stand as
/// before, it has to do so until the call is made again. What a call sets off besides (a ``Sequel``) is a third way, and comes once.
public struct TreeLedger: Sendable {
  /// A call that is to be made, or has been and is not answered.
  public struct Doubt: Sendable, Hashable {
    /// The call, which can be repeated.
    public var call: MethodCall
    /// What has to be answered.
    public var answer: [Value]
    /// How the tree has to stand then.
    public var after: Standing
    /// The tree's revision then.
    public var revision: UInt64
    /// What the tree does of itself then, if anything.
    public var sequel: Sequel.Kind?
    /// Whether it was made since the tree was found to stand as before it.
    public fileprivate(set) var isMade = false
    /// Whether the daemon has shown that it is done, so that only the answer is missing.
    public fileprivate(set) var isDone = false
    /// Whether its revision is among those that were told.
    fileprivate var isCounted = false

    /// Whether it starts the tree.
    var isStart: Bool { call.member == "StartFlow" }

    /// Whether it is no transition that the history tells of.
    var isDraft: Bool { call.member == "SaveDraft" }
  }

  /// What becomes known of a call in doubt.
  public enum Finding: Sendable, Hashable {
    /// Nothing new.
    case nothing
    /// The call was carried out before the daemon was killed.
    case done
    /// It was not.
    case notDone
  }

  /// The token that the tree is started with, and the name of its root.
  public let token: String
  /// The flow that it is a tree of.
  public let flow: String
  /// How the tree stands, by all that was told.
  public private(set) var told = Standing.unknown
  /// The call that is not answered yet.
  public private(set) var doubt: Doubt?
  /// What the tree will do of itself, or may have done.
  public private(set) var sequel: Sequel?
  /// The revision after each transition that was acknowledged.
  public private(set) var revisions: [UInt64] = []
  /// How often something was put into a basket.
  public private(set) var additions = 0

  /// A tree that is not started yet.
  public init(token: String, flow: String) { (self.token, self.flow) = (token, flow) }

  /// Whether it has ended.
  public var isOver: Bool { if case .ended = told { doubt == nil && sequel == nil } else { false } }

  /// Notes what call will be made next.
  ///
  /// - Parameters:
  ///   - call: The call, which is safe to repeat.
  ///   - answer: What has to be answered.
  ///   - after: How the tree has to stand then.
  ///   - revision: The tree's revision then.
  ///   - sequel: What the tree does of itself then, if anything.
  public mutating func prepares(
    _ call: MethodCall, answer: [Value], after: Standing, revision: UInt64, sequel: Sequel.Kind? = nil
  ) {
    doubt = Doubt(call: call, answer: answer, after: after, revision: revision, sequel: sequel)
  }

  /// Notes that the call is made, for the first time or once more.
  public mutating func calls() {
    doubt?.isMade = true
    guard let doubt, !doubt.isDone else { return }
    sequel = doubt.sequel.map { Sequel($0) }
  }

  /// Notes that the caller leaves with whom the tree ends.
  public mutating func loses() { sequel = Sequel(.end, after: .ended(.cancelled)) }

  /// Notes that the daemon was killed.
  public mutating func isCut() { sequel?.wasCut = true }

  /// Notes the answer to the call in doubt, to the first call or to one of its repetitions.
  ///
  /// - Parameter values: What was answered.
  /// - Throws: ``Violation``.
  public mutating func isAnswered(_ values: [Value]) throws(Violation) {
    guard let doubt else { return }
    guard values == doubt.answer else { throw wrongAnswer(values, to: doubt) }
    countDoubt()
    if !doubt.isDone { told = doubt.after }
    self.doubt = nil
    if doubt.call.member == "Delegate", doubt.call.arguments.contains(.string("add-to-basket")) { additions += 1 }
    try checkBasket()
  }

  /// Compares with how the tree is found to stand, which tells whether a call in doubt was carried out.
  ///
  /// - Parameters:
  ///   - standing: What was read.
  ///   - heard: The newest revision that a signal told of, 0 for none: a signal, too, says what is stored.
  /// - Returns: What that says of a call in doubt.
  /// - Throws: ``Violation``.
  public mutating func isFound(_ standing: Standing, heard: UInt64 = 0) throws(Violation) -> Finding {
    guard standing.progress >= heard else {
      throw Violation(.lost, tree: token, told: "a signal told of revision \(heard)", found: "\(standing)")
    }
    if let finding = isFoundSettled(standing) { return finding }
    guard let doubt, doubt.isMade, !doubt.isDone else {
      guard standing == told else { throw violation(found: standing, most: sequel?.after ?? told) }
      sequel?.isAwaitedStill()
      return .nothing
    }
    let wasHeard = heard >= doubt.revision && doubt.revision > told.progress
    if standing == doubt.after {
      told = standing
      self.doubt?.isDone = true
      sequel?.isAwaitedStill()
      return .done
    }
    guard standing == told, !wasHeard else { throw violation(found: standing, most: sequel?.after ?? doubt.after) }
    self.doubt?.isMade = false
    sequel = nil
    return .notDone
  }

  // MARK: What comes of itself

  /// Says whether a tree has done of itself what was to come, so that ``settles(as:)`` has to tell how it has to stand before
  /// ``isFound(_:heard:)`` judges.
  ///
  /// - Parameter standing: What was read.
  /// - Returns: Whether work was interrupted; nil if nothing has come yet, or it is known already.
  /// - Throws: ``Violation`` if work was interrupted that cannot have been, or was not that must have been.
  public func comesOfItself(_ standing: Standing) throws(Violation) -> Bool? {
    guard let sequel, sequel.after == nil, case .live = standing else { return nil }
    let before = doubt.map { $0.isMade && !$0.isDone ? $0.after : told } ?? told
    guard standing.progress > before.progress else { return nil }
    let isInterrupted = standing.tellsOfInterruption
    guard isInterrupted ? sequel.mayBeInterrupted : !sequel.hasToBeInterrupted else {
      throw Violation(
        .different, tree: token, told: isInterrupted ? "work that nothing has interrupted" : "work whose secret is gone",
        found: "\(standing)")
    }
    return isInterrupted
  }

  /// Notes how the tree has to stand once it has done of itself what was to come.
  public mutating func settles(as standing: Standing) { sequel?.after = standing }

  private mutating func isFoundSettled(_ standing: Standing) -> Finding? {
    guard let settled = sequel?.after, standing == settled else { return nil }
    let isNews = doubt.map { $0.isMade && !$0.isDone } ?? false
    // The call comes before what it has set off, also if its answer comes later.
    if doubt?.isMade == true { countDoubt() }
    if isNews { doubt?.isDone = true }
    revisions.append(settled.window?.revision ?? told.progress + 1)
    (told, sequel) = (settled, nil)
    return isNews ? .done : .nothing
  }

  private mutating func countDoubt() {
    guard let doubt, !doubt.isCounted else { return }
    self.doubt?.isCounted = true
    if !doubt.isDraft { revisions.append(doubt.revision) }
  }

  // MARK: What is wrong

  private func violation(found: Standing, most: Standing) -> Violation {
    let kind: Violation.Kind =
      if found.progress < told.progress { .lost } else if found.progress > most.progress { .doneTwice } else { .different }
    return Violation(
      kind, tree: token, told: "\(told)\(doubt.map { ", and in doubt \($0.call.member), after which \($0.after)" } ?? "")",
      found: "\(found)")
  }

  private func wrongAnswer(_ values: [Value], to doubt: Doubt) -> Violation {
    let kind: Violation.Kind =
      switch (values.first?.uint64, doubt.answer.first?.uint64) {
      case (let found?, let expected?) where found < expected: .lost
      case (let found?, let expected?) where found > expected: .doneTwice
      default: .different
      }
    return Violation(
      kind, tree: token, told: "\(doubt.call.member) \(doubt.call.arguments) has to be answered with \(doubt.answer)",
      found: "answered with \(values)")
  }

  /// Counts without any oracle: what a shop sells is what was put into its basket.
  private func checkBasket() throws(Violation) {
    guard case .ended(.finished(let result)) = told, case .object(let basket)? = result["basket"] else { return }
    let sold = basket.values.reduce(0) { $0 + ($1.integer ?? 0) }
    guard sold != additions else { return }
    throw Violation(
      sold < additions ? .lost : .doneTwice, tree: token, told: "\(additions) products were put into the basket",
      found: "\(sold) products were checked out")
  }
}
