import CoordinatorKit
import DBus

/// A client's knowledge of one of its flow trees: the state that the daemon last reported, and the call that is in doubt, if
/// any.
///
/// A value type that judges and makes no calls. A call is in doubt from the moment it is made until it is answered. If the
/// daemon is killed meanwhile, the tree may be in its state before the call or after it, and in no other; once it has been
/// found in its state before the call, it must stay there until the call is made again. A ``Sequel`` that a call sets off
/// allows a third state, and happens once.
public struct TreeLedger: Sendable {
  /// A call that has been prepared, or has been made and not answered.
  public struct Doubt: Sendable, Hashable {
    /// The call, which can be repeated.
    public var call: MethodCall
    /// The expected answer.
    public var answer: [Value]
    /// The expected state of the tree after the call.
    public var after: Standing
    /// The revision of the tree after the call.
    public var revision: UInt64
    /// The sequel of the call, if it has one.
    public var sequel: Sequel.Kind?
    /// Whether the call was made since the tree was last found in its state before it.
    public fileprivate(set) var isMade = false
    /// Whether the daemon has shown that the call was carried out, so that only the answer is missing.
    public fileprivate(set) var isDone = false
    /// Whether its revision has been added to ``TreeLedger/revisions``.
    fileprivate var isCounted = false

    /// Whether the call starts the tree.
    var isStart: Bool { call.member == "StartFlow" }

    /// Whether the call saves a draft, which is not part of the history.
    var isDraft: Bool { call.member == "SaveDraft" }
  }

  /// The information that an observation reveals about a call in doubt.
  public enum Finding: Sendable, Hashable {
    /// No new information.
    case nothing
    /// The call was carried out before the daemon was killed.
    case done
    /// The call was not carried out.
    case notDone
  }

  /// The token with which the tree is started, which is also the name of its root.
  public let token: String
  /// The flow of the tree's root.
  public let flow: String
  /// The state of the tree according to all reports so far.
  public private(set) var told = Standing.unknown
  /// The call that has not been answered yet.
  public private(set) var doubt: Doubt?
  /// The sequel that the tree will complete, or may have completed.
  public private(set) var sequel: Sequel?
  /// Whether another process performs the tree's work.
  private var hasProvider = false
  /// The revision after each acknowledged transition.
  public private(set) var revisions: [UInt64] = []
  /// The number of additions to a basket.
  public private(set) var additions = 0

  /// Creates a ledger for a tree that has not been started.
  public init(token: String, flow: String) { (self.token, self.flow) = (token, flow) }

  /// Whether the tree has ended and no call is in doubt.
  public var isOver: Bool { if case .ended = told { doubt == nil && sequel == nil } else { false } }

  /// Records the next call before it is made.
  ///
  /// - Parameters:
  ///   - call: the call, which is safe to repeat.
  ///   - answer: the expected answer.
  ///   - after: the expected state of the tree after the call.
  ///   - revision: the revision of the tree after the call.
  ///   - sequel: the sequel of the call, if it has one.
  public mutating func prepares(
    _ call: MethodCall, answer: [Value], after: Standing, revision: UInt64, sequel: Sequel.Kind? = nil
  ) {
    doubt = Doubt(call: call, answer: answer, after: after, revision: revision, sequel: sequel)
  }

  /// Records that the call is made, for the first time or again.
  public mutating func calls() {
    doubt?.isMade = true
    guard let doubt, !doubt.isDone else { return }
    sequel = doubt.sequel.map { Sequel($0, hasProvider: hasProvider) }
  }

  /// Records that the caller whose departure ends the tree leaves.
  public mutating func loses() { sequel = Sequel(.end, after: .ended(.cancelled)) }

  /// Records that the daemon was killed.
  public mutating func isCut() { sequel?.wasCut = true }

  /// Records the answer to the call in doubt, made once or repeatedly.
  ///
  /// - Parameter values: the answer.
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

  /// Judges the observed state of the tree, which shows whether a call in doubt was carried out.
  ///
  /// - Parameters:
  ///   - standing: the observed state.
  ///   - heard: the newest revision that a signal reported, 0 for none. Like a reply, a signal means that the revision is
  ///     stored.
  /// - Returns: the information about the call in doubt.
  /// - Throws: ``Violation``.
  public mutating func isFound(_ standing: Standing, heard: UInt64 = 0) throws(Violation) -> Finding {
    guard standing.progress >= heard else {
      throw Violation(.lost, tree: token, told: "a signal announced revision \(heard)", found: "\(standing)")
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

  // MARK: Sequels

  /// Checks whether the tree has completed its sequel. If so, call ``settles(as:)`` with the expected state before
  /// ``isFound(_:heard:)``.
  ///
  /// - Parameter standing: the observed state.
  /// - Returns: whether work was interrupted; nil if the sequel has not happened yet, or its result is known already.
  /// - Throws: ``Violation`` if work was interrupted that cannot have been, or was not interrupted although it must
  ///   have been.
  public func comesOfItself(_ standing: Standing) throws(Violation) -> Bool? {
    guard let sequel, sequel.after == nil, case .live = standing else { return nil }
    let before = doubt.map { $0.isMade && !$0.isDone ? $0.after : told } ?? told
    guard standing.progress > before.progress else { return nil }
    let isInterrupted = standing.tellsOfInterruption
    guard isInterrupted ? sequel.mayBeInterrupted : !sequel.hasToBeInterrupted else {
      throw Violation(
        .different, tree: token, told: isInterrupted ? "uninterrupted work" : "work that lost its secret",
        found: "\(standing)")
    }
    return isInterrupted
  }

  /// Records that another process performs the tree's work; see ``Sequel/hasProvider``.
  public mutating func isProvided() { hasProvider = true }

  /// Records the expected state of the tree after its sequel.
  public mutating func settles(as standing: Standing) { sequel?.after = standing }

  private mutating func isFoundSettled(_ standing: Standing) -> Finding? {
    guard let settled = sequel?.after, standing == settled else { return nil }
    let isNews = doubt.map { $0.isMade && !$0.isDone } ?? false
    // The call precedes its sequel, even if its answer arrives later.
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

  // MARK: Violations

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
      kind, tree: token, told: "the reply to \(doubt.call.member) \(doubt.call.arguments) must be \(doubt.answer)",
      found: "answered with \(values)")
  }

  /// Checks the count without a twin: a shop sells exactly the items that were put into its basket.
  private func checkBasket() throws(Violation) {
    guard case .ended(.finished(let result)) = told, case .object(let basket)? = result["basket"] else { return }
    let sold = basket.values.reduce(0) { $0 + ($1.integer ?? 0) }
    guard sold != additions else { return }
    throw Violation(
      sold < additions ? .lost : .doneTwice, tree: token, told: "\(additions) products were put into the basket",
      found: "\(sold) products were checked out")
  }
}
