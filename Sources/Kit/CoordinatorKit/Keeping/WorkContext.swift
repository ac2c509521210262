import Languages
import Platform

/// What a piece of work may use while it runs.
///
/// The type is not sendable on purpose: an actor's `perform` that is not declared `nonisolated` would run on the actor
/// and block the flow's events, and the compiler therefore rejects it. Child tasks use ``shared``.
public struct WorkContext {
  /// The part of the context that child tasks can use, with the same operations.
  public let shared: SharedWorkContext

  /// The secrets that the work was started with, by name. They are wiped when the work is done.
  public var secrets: [String: Secret] { shared.secrets }

  /// Returns one of the secrets that the work was started with.
  ///
  /// - Parameter name: the name of the secret, as passed to ``Coordinator/startWork(_:key:secrets:)``.
  /// - Returns: the secret, which is valid until the work is done.
  /// - Throws: ``Failure`` if the work was started without it.
  public func secret(_ name: String) throws(Failure) -> Secret { try shared.secret(name) }

  /// Whether a user views the screen; see ``SharedWorkContext/isWatched``.
  public var isWatched: Bool { shared.isWatched }

  /// Waits until a user views the screen; see ``SharedWorkContext/untilWatched()``.
  ///
  /// - Throws: `CancellationError` if the work is cancelled during the wait.
  public func untilWatched() async throws(CancellationError) { try await shared.untilWatched() }

  /// Waits for a duration; see ``SharedWorkContext/sleep(for:)``.
  ///
  /// - Parameter duration: how long to wait.
  /// - Throws: `CancellationError` if the work is cancelled during the wait.
  public func sleep(for duration: Duration) async throws { try await shared.sleep(for: duration) }

  /// Reports progress; see ``SharedWorkContext/report(_:)``.
  ///
  /// - Parameter progress: how far the work has progressed.
  public func report(_ progress: Progress) { shared.report(progress) }
}

@available(*, unavailable, message: "perform(_:in:) must be nonisolated; child tasks use the context's `shared`")
extension WorkContext: Sendable {}

/// The result of a piece of work.
public enum WorkResult<Product: Sendable>: Sendable {
  /// The work succeeded.
  case done(Product)
  /// The work threw an error.
  case failed(any Error)
}

/// The number of a piece of work in its flow tree; never reused.
package struct WorkID: Sendable, Hashable {
  package let number: UInt64
}

/// A piece of work that a coordinator has started and whose result it has not yet received.
package struct WorkRecord: Sendable {
  package let id: WorkID
  /// The coordinator's own description of the work.
  package let work: any Codable & Sendable
  /// The key of the work in its coordinator; nil if it was started without a key.
  let key: WorkKey?
  /// The screen that shows the work's progress.
  let screen: ScreenID?
  let tookSecrets: Bool
  /// The end of the work, if another process performed it and the coordinator has not handled it yet.
  var result: ProvidedWork.End?
  /// The number of attempts that another process may have begun.
  var attempts: UInt32 = 1
}

/// The message of a work failure that the flow receives. The daemon stores it and may show it to users, so its length is
/// limited; the log contains the whole message.
package enum FailureMessage {
  /// The maximum number of bytes of a message.
  package static let limit = 4_096
  /// The end of a message that was cut.
  package static let mark = "… (cut off here; the log of the program has all of it)"

  /// Returns a message in the form that a flow receives.
  ///
  /// - Parameters:
  ///   - text: the whole message.
  ///   - complain: receives the whole message if it is too long, one line at a time. The default does nothing, for a message
  ///     that is already in the log.
  /// - Returns: the message, or its beginning and ``mark``.
  package static func fitting(_ text: String, complain: (String) -> Void = { _ in }) -> String {
    let count = text.utf8.count
    guard count > limit else { return text }
    complain("work has failed, and the flow is told only the beginning of why, which has \(count) bytes:")
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { complain(String(Substring(line))) }
    var room = limit - mark.utf8.count
    let beginning = text.unicodeScalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    return String(beginning) + mark
  }
}

extension ServedFlow {
  /// The description of a piece of work.
  private struct Argument: Codable {
    var work: C.Work
    var language: String?

    enum CodingKeys: String, CodingKey {
      case work = "w"
      case language = "l"
    }
  }

  func perform(_ work: ProvidedWork, in catalogue: FlowCatalogue, _ context: SharedWorkContext) async throws -> String {
    let known = try VersionedText(work.argument)
    guard known.version == C.flow.version else {
      throw ProviderTrouble.failed("version \(known.version) of the flow \(C.flow.name) has ordered the work")
    }
    let argument = try StoredText.decode(Argument.self, from: known.text)
    let language = argument.language.flatMap { try? LanguageTag($0) }.flatMap(catalogue.translations.language(for:))
    let result: WorkResult<C.Product>
    do {
      let actor = make()
      let product = try await Translation.$current.withValue(language) {
        try await actor.perform(argument.work, in: WorkContext(shared: context))
      }
      result = .done(product)
    } catch {
      // The end of cancelled work is not delivered.
      if Task.isCancelled { throw CancellationError() }
      result = .failed(error)
    }
    return results.text(of: result, complain: context.complain)
  }

  /// Returns the description of a piece of work for the daemon.
  static func described(_ work: C.Work, id: WorkID, language: String?) throws -> ProvidedWork {
    let text = try StoredText.encode(Argument(work: work, language: language))
    return ProvidedWork(id: id.text, argument: VersionedText(version: C.flow.version, text).kept)
  }
}

extension WorkID {
  /// The id as the daemon knows it.
  var text: String { String(number) }

  /// Creates an id from the daemon's.
  init?(text: String) {
    guard let number = UInt64(text) else { return nil }
    self.init(number: number)
  }
}

/// The results of work on their way to the handler. A result that can be encoded travels through the daemon, which
/// stores it; any other waits here, and is lost with the process. May be used from any thread.
final class WorkResults<Product: Sendable>: Sendable {
  /// The maximum number of stored results.
  private static var capacity: Int { 1024 }

  private struct State: Sendable {
    var last: UInt64 = 0
    var waiting: [UInt64: WorkResult<Product>] = [:]
  }

  private let state = Lock(State())
  /// Identifies this process, to distinguish its results from those of others.
  private let process = UInt64.random(in: 0 ... .max)

  /// Returns the text of a result: `p` and the product, `f` and the failure, or `m` and the result's key in memory.
  ///
  /// - Parameters:
  ///   - result: the result.
  ///   - complain: receives a failure whose message is too long, one line at a time.
  /// - Returns: the text.
  func text(of result: WorkResult<Product>, complain: (String) -> Void) -> String {
    switch result {
    case .done(let product):
      if let text = Self.encoded(product) { return "p" + text }
    case .failed(let failure as Failure):
      var stored = failure
      stored.message = FailureMessage.fitting(failure.message, complain: complain)
      if let text = try? StoredText.encode(stored) { return "f" + text }
    case .failed: break
    }
    let number = state.withLock { state in
      state.last += 1
      state.waiting[state.last] = result
      if state.last > Self.capacity { state.waiting[state.last - UInt64(Self.capacity)] = nil }
      return state.last
    }
    return "m\(process) \(number)"
  }

  /// Decodes a result from its text; nil if it was lost.
  func result(_ end: ProvidedWork.End) throws -> WorkResult<Product>? {
    switch end {
    case .failed(let trouble): return .failed(Failure(code: trouble.type, message: trouble.message))
    case .done(let text):
      let rest = String(Substring(text.utf8.dropFirst()))
      switch text.utf8.first {
      case UInt8(ascii: "p"): return Self.decoded(rest).map { .done($0) }
      case UInt8(ascii: "f"): return .failed(try StoredText.decode(Failure.self, from: rest))
      default:
        let parts = rest.bytes.split(separator: " ")
        guard parts.count == 2, UInt64(parts[0]) == process, let number = UInt64(parts[1]) else { return nil }
        return state.withLock { $0.waiting[number] }
      }
    }
  }

  private static func encoded(_ product: Product) -> String? {
    if Product.self == Void.self { return "" }
    guard Product.self is any Decodable.Type, let product = product as? any Encodable else { return nil }
    return try? StoredText.encode(product)
  }

  private static func decoded(_ text: String) -> Product? {
    func decode<Value: Decodable>(_ type: Value.Type) -> Product? {
      (try? StoredText.decode(type, from: text)) as? Product
    }
    if Product.self == Void.self { return () as? Product }
    guard let type = Product.self as? any Decodable.Type else { return nil }
    return decode(type)
  }
}
