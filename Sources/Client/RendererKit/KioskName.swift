import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform

/// The name of a kiosk. Its flow trees have this name with a number, as in `kiosk_check_in_web_7`: each run of the renderer finds
/// the trees of earlier runs by their names, and a page of an earlier tree never reaches a later one.
public struct KioskName: Sendable, Hashable {
  /// The maximum length, which leaves space for a number in a token of 64 characters.
  static let longest = 43

  /// The name.
  let text: String

  /// Creates the default name of a kiosk.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - place: renderer or terminal that shows it. Other characters than letters and digits are replaced.
  public init(flow: String, place: String) {
    let end = "_" + Self.plain(place).suffix(12)
    text = String(("kiosk_" + Self.plain(flow)).prefix(Self.longest - end.utf8.count)) + end
  }

  /// Creates a kiosk with a name that its operator has given; nil if it is not 1 to 43 characters of `[A-Za-z0-9_]`.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard (1...Self.longest).contains(bytes.count), bytes.allSatisfy(Self.isPlain) else { return nil }
    self.text = text
  }

  /// Creates the name for the policy of a renderer; nil if it is not that of a locked kiosk.
  ///
  /// - Parameters:
  ///   - policy: policy of the renderer.
  ///   - token: name that the operator has given; nil for the default one.
  ///   - flow: name of the flow.
  ///   - place: renderer or terminal that shows it.
  /// - Throws: ``ToolFailure`` if the given name is too long, or contains other characters.
  public init?(_ policy: KioskPolicy, token: String?, flow: String, place: String) throws(ToolFailure) {
    guard policy.isLocked else { return nil }
    guard let token else {
      self.init(flow: flow, place: place)
      return
    }
    guard let named = KioskName(token) else {
      throw ToolFailure(
        ["'\(token.printable)' cannot name a kiosk: use 1 to \(Self.longest) letters, digits and underscores"], exit: .usage)
    }
    self = named
  }

  private static func plain(_ text: String) -> String {
    String(decoding: text.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "_") }

  /// Returns the token of a run.
  func token(_ number: UInt64) -> String { "\(text)_\(number)" }

  /// Returns the number of the run with a token; nil if the token belongs to another kiosk.
  func number(in token: String) -> UInt64? {
    guard let digits = token.bytes.dropping(prefix: text + "_"), digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return UInt64(digits).flatMap { $0 < .max ? $0 : nil }
  }

  /// Returns the token of the run after that of a tree.
  public func token(after tree: ObjectPath) -> String { token((number(in: TreeSelector.name(tree)) ?? 0) + 1) }

  // MARK: Names that are in use

  /// Returns the number of a run that no client can guess.
  public static func spare() -> UInt64 { UInt64.random(in: 1 << 40..<1 << 53) }

  /// Starts a run. If another flow has its name, which each client that may start some flow can guess, the run has another number.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - input: input of the run.
  ///   - options: options with the token of the run.
  ///   - spare: number of the run if that token is in use.
  ///   - daemon: client of the daemon.
  /// - Returns: the tree; and the token if it was in use.
  /// - Throws: `ClientError`.
  public func start(
    _ flow: String, input: [String: JSONValue], _ options: Options, otherwise spare: UInt64, by daemon: DaemonClient
  ) async throws(ClientError) -> (tree: ObjectPath, passedOver: String?) {
    do throws(ClientError) {
      return (try await daemon.manager.startFlow(flow, input: input, options: options).coordinator, nil)
    } catch {
      guard case .refused(.tokenInUse) = error else { throw error }
      var other = options
      other.token = token(spare)
      return (try await daemon.manager.startFlow(flow, input: input, options: other).coordinator, options.token)
    }
  }

  /// Returns what the operator of a kiosk must know if the name of a run was in use.
  public static func notice(onPassingOver token: String) -> String {
    "another flow has the name of the next run of this kiosk, \(token.printable), so the run has another one"
  }
}

/// The flow tree of a kiosk, as its renderer finds it.
public struct KioskTree: Sendable {
  /// The path of the root coordinator.
  public var tree: ObjectPath
  /// The input of each run.
  public var input: [String: JSONValue]
  /// Whether a visitor may have used the tree before this renderer has taken it up.
  public var isUsed: Bool
  /// Whether the flow can be cancelled for lack of input.
  public var isLeavable: Bool
  /// Trees of the kiosk that could not be ended, and the reasons.
  public var leftBehind: [String]
  /// The names of runs that were in use by other flows.
  public var passedOver: [String] = []

  /// Returns the policy for the tree: without an idle time if users cannot leave the flow, because no cancellation would follow the question
  /// whether they are still there.
  public func policy(_ policy: KioskPolicy) -> KioskPolicy {
    var policy = policy
    if !isLeavable { policy.idleTime = nil }
    return policy
  }

  /// Returns what the operator of a kiosk must know.
  public func notices(_ policy: KioskPolicy, of flow: String) -> [String] {
    var notices = leftBehind.map { "a flow tree of this kiosk goes on: \($0)" } + passedOver.map(KioskName.notice(onPassingOver:))
    if policy.idleTime != nil, !isLeavable {
      notices.append("--idle-reset has no effect, because users cannot leave the flow '\(flow.printable)'")
    }
    return notices
  }
}

extension ToolSession {
  /// Takes up the live flow tree of a kiosk, or starts one. Ends all other trees of the kiosk, such as those of another flow or
  /// input, so that exactly one is left.
  ///
  /// - Parameters:
  ///   - kiosk: name of the kiosk.
  ///   - text: name of the flow.
  ///   - assignments: input of the flow.
  ///   - proposals: whether the user of a flow that is started is not known yet, so that a renderer proposes the language; nil for
  ///     no.
  /// - Returns: the tree.
  /// - Throws: ``ToolFailure``, also if the text names a flow tree.
  public func takeUp(
    _ kiosk: KioskName, _ text: String, _ assignments: [Assignment], proposals: Bool? = nil
  ) async throws(ToolFailure) -> KioskTree {
    let (active, ended, flows) = try await doing { () async throws(ClientError) in
      (try await daemon.manager.listActive(), try await daemon.manager.listEnded(), try await daemon.manager.listFlows())
    }
    guard case .start(let flow) = try OpenTarget(text, active: active.map(\.coordinator), flows: flows.map(\.name)) else {
      throw ToolFailure(["--kiosk, --restart-after and --idle-reset require a flow to start"], exit: .usage)
    }
    var listing = flows.first { $0.name.bytes.equals(flow) }
    let input = try object(assignments, listing?.input)
    let own = active.filter { $0.token.flatMap(kiosk.number) != nil }.sorted { $0.startedAt > $1.startedAt }
    var found = KioskTree(
      tree: Contract.rootPath, input: input, isUsed: false, isLeavable: listing?.isLeavable ?? true, leftBehind: [])
    var taken: ObjectPath?
    for tree in own {
      if taken == nil, tree.flow.bytes.equals(flow), await isBegun(tree, input) {
        taken = tree.coordinator
      } else if let reason = await reasonAgainstEnding(tree.coordinator) {
        found.leftBehind.append("\(TreeSelector.name(tree.coordinator)): \(reason)")
      }
    }
    if let taken {
      (found.tree, found.isUsed) = (taken, await isUsed(taken))
      return found
    }
    let numbers = (active.compactMap(\.token) + ended.compactMap(\.token)).compactMap(kiosk.number)
    let token = kiosk.token((numbers.max() ?? 0) + 1)
    let options = Options(token: token, fresh: true, proposals: proposals)
    let run = try await explaining(flow, orTreeAmong: active.map(\.coordinator)) { () async throws(ClientError) in
      try await kiosk.start(flow, input: input, options, otherwise: KioskName.spare(), by: daemon)
    }
    found.tree = run.tree
    found.passedOver += [run.passedOver].compactMap(\.self)
    if listing == nil {
      // The flow is listed since the daemon has looked for it.
      listing = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
        .first { $0.name.bytes.equals(flow) }
      found.isLeavable = listing?.isLeavable ?? true
    }
    return found
  }

  /// Returns whether a live tree was begun with an input. Where that cannot be known, because its provider is away, it counts as
  /// begun with it.
  private func isBegun(_ tree: ActiveFlow, _ input: [String: JSONValue]) async -> Bool {
    do throws(ClientError) {
      _ = try await daemon.manager.startFlow(tree.flow, input: input, options: Options(token: tree.token))
      return true
    } catch {
      if case .refused(.tokenInUse) = error { return false }
      return true
    }
  }

  private func isUsed(_ tree: ObjectPath) async -> Bool {
    guard let window = try? await window(of: tree) else { return true }
    return window.revision > 1
  }

  private func reasonAgainstEnding(_ tree: ObjectPath) async -> String? {
    do throws(ClientError) {
      _ = try await daemon.coordinator(tree).dismiss()
      return nil
    } catch {
      return ToolFailure(error).lines.first
    }
  }
}
