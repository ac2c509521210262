import Languages
import Platform

extension ServedFlow {
  /// What a piece of work is described by.
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
      // Nobody waits for the end of work that was cancelled.
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
  /// The most results that wait.
  private static var capacity: Int { 1024 }

  private struct State: Sendable {
    var last: UInt64 = 0
    var waiting: [UInt64: WorkResult<Product>] = [:]
  }

  private let state = Lock(State())
  /// Tells the results of this process from those of others.
  private let process = UInt64.random(in: 0 ... .max)

  /// Returns the text of a result: `p` and the product, `f` and the failure, or `m` and where in memory it waits.
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

  /// Returns a result from its text; nil if it was lost.
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
