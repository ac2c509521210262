import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// Completes words of a command line from the daemon's data.
public struct Completion: Sendable {
  /// The maximum time that a user who presses Tab waits.
  private static let patience = Duration.seconds(2)

  private let words: CompletionWords

  /// Creates a completion of a command line.
  public init(_ words: CompletionWords) { self.words = words }

  /// Returns the candidates for the word; none if the daemon does not answer in time.
  public func candidates(_ target: CompletionTarget) async -> [String] {
    let (answers, continuation) = AsyncStream.makeStream(of: [String].self)
    let tasks = [
      Task {
        let all = (try? await all(target)) ?? []
        continuation.yield(all)
      },
      Task {
        try? await Task.sleep(for: Self.patience)
        continuation.yield([])
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await answer in answers { return words.fitting(answer) }
    return []
  }

  private func all(_ target: CompletionTarget) async throws -> [String] {
    let daemon = try await DaemonClient.connect(to: words.bus)
    let session = ToolSession(daemon: daemon, output: ToolOutput(isJSON: true, style: TextStyle()) { _ in }) { _ in nil }
    let manager = daemon.manager
    switch target {
    case .flows: return try await manager.listFlows().map(\.name).sorted()
    case .trees: return try await trees(session)
    case .flowsAndTrees: return try await trees(session) + manager.listFlows().filter { !$0.isPart }.map(\.name).sorted()
    case .ended: return try await trees(session) + manager.listEnded().map { TreeSelector.name($0.coordinator) }
    case .tokens: return try await manager.listEnded().compactMap(\.token)
    case .screens: return try await screens(session)
    case .starting:
      guard let flow = words.arguments.first else { return try await manager.listFlows().map(\.name).sorted() }
      let fields = try await manager.listFlows().first { $0.name == flow }?.input?.fields ?? []
      return ScreenCompletion.assignments(of: fields, Array(words.arguments.dropFirst()))
    case .sending: return try await sending(session)
    }
  }

  private func trees(_ session: ToolSession) async throws -> [String] {
    try await session.daemon.manager.listActive().map { TreeSelector.name($0.coordinator) }.sorted()
  }

  /// Returns the names of the screens of the tree that the line names, or of all trees.
  private func screens(_ session: ToolSession) async throws -> [String] {
    let named = words.arguments.first { !Assignment.isAssignment($0) }
    let trees = try await trees(session).filter { name in named.map { name.bytes.hasPrefix($0) } ?? true }
    var names: [String] = []
    for tree in trees { names += try await window(session, of: tree)?.screens.reversed().map(\.screen.name) ?? [] }
    return names
  }

  private func sending(_ session: ToolSession) async throws -> [String] {
    let trees = try await trees(session)
    var rest = words.arguments[...]
    guard let first = rest.first else {
      let only = trees.count == 1 ? try await window(session, of: nil) : nil
      return (only.map { ScreenCompletion(window: $0).events } ?? []) + trees
    }
    let tree = trees.contains(first) || trees.count > 1 ? first : nil
    if tree != nil { rest = rest.dropFirst() }
    guard let window = try await window(session, of: tree) else { return [] }
    let screen = ScreenCompletion(window: window)
    guard let event = rest.popFirst() else { return screen.events }
    return screen.words(after: event, Array(rest), current: words.cut + words.current)
  }

  private func window(_ session: ToolSession, of tree: String?) async throws -> MirroredWindow? {
    try await session.window(of: session.root(tree))
  }
}

/// The kinds of words that a word of a command line can be completed to.
public enum CompletionTarget: Sendable, Hashable, CaseIterable {
  /// A flow that can be started.
  case flows
  /// A flow, and then its input.
  case starting
  /// A flow tree that runs.
  case trees
  /// A flow or a flow tree.
  case flowsAndTrees
  /// A flow tree that runs or has ended.
  case ended
  /// A token whose flow has ended.
  case tokens
  /// The name of a screen of a flow tree.
  case screens
  /// A flow tree, an event, and its payload.
  case sending
}

/// The words of a command line that can be sent to a screen. A value without I/O.
struct ScreenCompletion: Sendable {
  var window: MirroredWindow

  /// The events that can be sent now.
  var events: [String] {
    guard let screen = window.top?.screen else { return [] }
    return screen.actions.filter { $0.disabled == nil }.map(\.id) + (screen.items == nil ? [] : [Event.select])
      + (ReviewChanges(on: screen, among: window.screens).targets.isEmpty ? [] : [ReviewRow.change])
  }

  /// Returns the words that can follow an event.
  ///
  /// - Parameters:
  ///   - event: name of the event.
  ///   - given: words that already follow it.
  ///   - current: beginning of the word to complete.
  /// - Returns: the words; none if the event takes none.
  func words(after event: String, _ given: [String], current: String) -> [String] {
    guard let screen = window.top?.screen else { return [] }
    switch event {
    case Event.select where screen.items != nil:
      let ids = (screen.items ?? []).filter { $0.disabled == nil }.map(\.id).filter { !given.contains($0) }
      let key = screen.choosing?.count == nil ? "id=" : "ids="
      return current.bytes.hasPrefix(key) ? ids.map { key + $0 } : ids
    case ReviewRow.change where !screen.review.isEmpty:
      let names = ReviewChanges(on: screen, among: window.screens).names
      return current.bytes.hasPrefix("id=") ? names.map { "id=\($0)" } : names
    default:
      guard screen.actions.contains(where: { $0.id == event && $0.role == .primary }) else { return [] }
      return Self.assignments(of: screen.form?.fields ?? [], given)
    }
  }

  /// Returns assignments to fields: one with each possible value, if they are few, and otherwise up to the value.
  ///
  /// - Parameters:
  ///   - fields: fields of a form or an input.
  ///   - given: words that the command line already contains.
  /// - Returns: the words that begin with the name of a field and `=`.
  static func assignments(of fields: [Field], _ given: [String]) -> [String] {
    fields.filter { field in field.isList || !given.contains { $0.bytes.hasPrefix("\(field.name)=") } }.flatMap { field in
      if field.schema.isSecret { return ["\(field.name)=@-"] }
      let values = Self.values(of: field.schema)
      return values.isEmpty ? ["\(field.name)="] : values.map { "\(field.name)=\($0)" }
    }
  }
}

extension ScreenCompletion {
  /// Returns the values that a schema allows, if they are few.
  private static func values(of schema: Schema) -> [String] {
    switch schema.rule {
    case .boolean: ["true", "false"]
    case .choice(let choices): choices.map(\.value.plainText)
    case .list(let rule): values(of: rule.items)
    default: []
    }
  }
}

extension Field {
  fileprivate var isList: Bool { if case .list = schema.rule { true } else { false } }
}

/// The command line to complete. A value without I/O.
public struct CompletionWords: Sendable, Hashable {
  /// The options whose next word is their value.
  private static let options: Set<String> = [
    "--address", "--answers", "--event", "--flow", "--grep", "--in", "--lifetime", "--lines", "--missing",
    "--output", "--parent", "--request", "--screen", "--seen", "--since", "--state-dir", "--style", "--timeout", "--title",
    "--token", "--tree", "--wait", "-n", "-o",
  ]

  /// The bus that the command line names, or the session bus.
  public private(set) var bus = BusAddress.session
  /// The daemon that the command line names, as it is written; nil if it names none.
  public private(set) var daemon: String?
  /// The names and assignments between the command and the word to complete.
  public private(set) var arguments: [String] = []
  /// The typed part of the word to complete.
  public private(set) var current: String
  /// The part of the word that the shell has cut off, because it treats `=` as the end of a word.
  public private(set) var cut = ""

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - words: words of the line, with the program as the first one.
  ///   - index: index of the word to complete.
  ///   - isSplit: whether the shell splits words at `=`, `:` and `@`, as bash does.
  public init(_ words: [String], at index: Int, isSplit: Bool) {
    let words = words.map(Self.unquoted)
    let before = Array(words.prefix(max(index, 0)))
    current = words.indices.contains(index) ? words[index] : ""
    var whole = Array(before.dropFirst())
    if isSplit {
      (whole, cut, current) = Self.joined(whole, current)
    }
    var isCommandNext = true
    var rest = whole[...]
    while let word = rest.popFirst() {
      switch word {
      case "--system": bus = .system
      case "--address": bus = rest.popFirst().map { .address($0) } ?? bus
      case "--name": daemon = rest.popFirst() ?? daemon
      case _ where Self.options.contains(word): _ = rest.popFirst()
      case _ where word.bytes.hasPrefix("-") && word.utf8.count > 1:
        if let name = word.bytes.dropping(prefix: "--name=") { daemon = String(name) }
        if let address = word.bytes.dropping(prefix: "--address=") { bus = .address(String(address)) }
      case _ where isCommandNext: isCommandNext = false
      default: arguments.append(word)
      }
    }
  }

  /// Returns the candidates that begin with the word, without the part that the shell has cut off.
  public func fitting(_ candidates: [String]) -> [String] {
    var seen: Set<String> = []
    return candidates.filter { $0.bytes.hasPrefix(cut + current) && seen.insert($0).inserted }
      .compactMap { $0.bytes.dropping(prefix: cut).map(String.init) }
  }

  /// Returns a word without the quotes and backslashes that shells pass on. fish writes an empty word as two quotes.
  private static func unquoted(_ word: String) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in word.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if isEscaped || !"'\"".utf8.contains(byte) {
        result.append(byte)
        isEscaped = false
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Joins words that the shell has split.
  private static func joined(_ words: [String], _ current: String) -> (words: [String], cut: String, current: String) {
    var result: [String] = []
    var isOpen = false
    for word in words + [current] {
      let isBreak = !word.isEmpty && word.utf8.allSatisfy({ "=:@".utf8.contains($0) })
      if (isBreak || isOpen) && !result.isEmpty, result.last?.bytes.hasPrefix("-") != true || isBreak {
        result[result.count - 1] += word
      } else {
        result.append(word)
      }
      isOpen = isBreak
    }
    let whole = result.popLast() ?? ""
    // bash completes a word break itself as if nothing were typed.
    let typed = !current.isEmpty && current.utf8.allSatisfy({ "=:@".utf8.contains($0) }) ? "" : current
    return (result, whole.bytes.dropping(suffix: typed).map(String.init) ?? whole, typed)
  }
}
