import CoordinatorBus
import DBus
import Testing

/// A signal as a short string, for comparing the signals of a transition.
struct Recorded: Equatable, CustomStringConvertible {
  let text: String

  init(_ signal: SignalMessage) {
    let at = signal.path.string.dropFirst(Contract.rootPath.string.count)
    let arguments = signal.body.map(Self.brief).joined(separator: " ")
    text = "\(signal.member)\(at.isEmpty ? "" : " \(at)") \(arguments)"
  }

  var description: String { text }

  private static func brief(_ value: Value) -> String {
    switch value {
    case .objectPath(let path): String(path.string.dropFirst(Contract.flowsPath.string.count + 1))
    case .string(let string): string
    case .uint64(let number): String(number)
    case .boolean(let boolean): String(boolean)
    case .array(_, let elements): "[\(elements.map(brief).joined(separator: " "))]"
    case .dictionary:
      "{" + (value.vardict ?? value.interfaceNames).keys.sorted().joined(separator: " ") + "}"
    default: "?"
    }
  }
}

extension Value {
  fileprivate var interfaceNames: [String: Value] {
    guard case .dictionary(_, _, let entries) = self else { return [:] }
    return Dictionary(entries.compactMap { entry in entry.key.string.map { ($0, entry.value) } }, uniquingKeysWith: { $1 })
  }
}

extension SignalSequence.Iterator {
  /// Returns the signals up to and including the first for which `isLast` returns true.
  mutating func upTo(_ isLast: (SignalMessage) -> Bool) async -> [String] {
    var texts: [String] = []
    while case .signal(let signal)? = await next() {
      texts.append(Recorded(signal).text)
      if isLast(signal) { break }
    }
    return texts
  }

  /// Returns the signals up to and including the first with the given name.
  mutating func upTo(_ member: String) async -> [String] { await upTo { $0.member == member } }
}

/// Expects a call to throw the error with the given name.
func expectError(
  _ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("no error instead of \(name)", sourceLocation: sourceLocation)
  } catch let error as DBusError {
    #expect(error.name.hasSuffix("." + name), "\(error.name): \(error.message)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error) instead of \(name)", sourceLocation: sourceLocation)
  }
}
