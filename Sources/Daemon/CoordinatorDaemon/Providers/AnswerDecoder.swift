import CoordinatorBus
import CoordinatorKit
import DBus

/// Reads the answer of a provider to `Decide`, which is checked as whatever comes from outside. One fault drops all of
/// it.
package struct AnswerDecoder: Sendable {
  /// What is wrong with an answer.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Receives each key of a screen or of a message that is not known, and is ignored.
  private let note: @Sendable (UnknownKey) -> Void

  /// Creates a decoder.
  ///
  /// - Parameter note: receives each key of a screen or of a message that is not known, and is ignored.
  package init(noting note: @escaping @Sendable (UnknownKey) -> Void = { _ in }) { self.note = note }

  /// The most bytes that the state of one coordinator may have.
  package static let maxState = 256 * 1024
  /// The most bytes that one screen may take up in memory.
  static let maxScreen = 1 << 20
  /// The most bytes of a key or an id.
  static let maxName = 256
  /// The most operations of one answer.
  static let maxOperations = 64

  /// The most levels of a screen: the values of its form may have as many as a screen of a built-in flow.
  private static let maxDepth = Contract.maximumDepth + 1

  /// Decodes an answer.
  ///
  /// - Parameter answer: the results of the call.
  /// - Returns: the decision.
  /// - Throws: `Fault`.
  package func decision(_ answer: [Value]) throws(Fault) -> FlowDecision {
    guard answer.count == 1, let answer = answer[0].vardict else { throw Fault("is not a dictionary") }
    for key in answer.keys.sorted() where !["state", "do", "screens", "dismissable"].contains(key) {
      throw Fault("has the unknown key \(key)")
    }
    guard let state = answer["state"]?.string else { throw Fault("has no state, which is a string") }
    guard state.utf8.count <= Self.maxState else { throw Fault("has a state of more than \(Self.maxState) bytes") }
    var decision = FlowDecision(state: state)
    if let value = answer["dismissable"] {
      guard let isDismissable = value.bool else { throw Fault("has a dismissable that is not a boolean") }
      decision.canBeCancelled = isDismissable
    }
    if let value = answer["do"] {
      guard let elements = value.elements, elements.count <= Self.maxOperations else {
        throw Fault("has operations that are not an array of at most \(Self.maxOperations)")
      }
      for element in elements {
        guard let values = element.unwrapped.vardict else { throw Fault("has an operation that is not a dictionary") }
        decision.operations.append(try OperationReader.operation(values, noting: note))
      }
    }
    if let value = answer["screens"] {
      guard let screens = value.vardict else { throw Fault("has screens that are not a dictionary") }
      for (key, value) in screens.sorted(by: { $0.key < $1.key }) {
        (decision.screens[key], decision.contents[key]) = try screen(value, key)
      }
    }
    return decision
  }

  private func screen(_ value: Value, _ key: String) throws(Fault) -> (ProvidedScreen, content: Screen) {
    guard key.utf8.count <= Self.maxName else { throw Fault("has a screen with a key of more than \(Self.maxName) bytes") }
    guard var values = value.vardict else { throw Fault("has the screen \(key), which is not a dictionary") }
    let back = values.removeValue(forKey: "back")
    guard back == nil || back?.bool != nil else { throw Fault("has the screen \(key) with a back that is not a boolean") }
    do {
      let description = try JSONValue(value: .vardict(values), depthLimit: Self.maxDepth)
      guard description.roughSize <= Self.maxScreen else { throw Fault("has the screen \(key), which is too large") }
      // A client may meet a kind that is newer than itself; what a provider shows has to be known.
      let kind = description.object?["kind"]?.string ?? ""
      guard Screen.Kind(rawValue: kind) != nil else { throw Fault("has the screen \(key) of the unknown kind \(kind)") }
      let content = try Self.screen(from: description, noting: note)
      try content.validate()
      let secrets = content.form?.schema.secretFields ?? []
      guard description.object?["values"]?.object?.keys.contains(where: secrets.contains) != true else {
        throw Fault("has the screen \(key) with a value of a secret field")
      }
      return (ProvidedScreen(description, back: back?.bool ?? true), content)
    } catch let fault as Fault {
      throw fault
    } catch let error as MalformedScreen {
      throw Fault("has the screen \(key), whose \(error.fault)")
    } catch {
      throw Fault("has the screen \(key), which cannot be read: \(error)")
    }
  }

  /// Reads parts of screens by key.
  ///
  /// - Parameters:
  ///   - value: the parts.
  ///   - note: receives each key that is not known, and is ignored.
  /// - Returns: the parts.
  /// - Throws: `Fault` or `JSONConversionError`.
  static func live(_ value: Value, noting note: (UnknownKey) -> Void) throws -> [String: [String: JSONValue]] {
    guard let screens = value.vardict else { throw Fault("is not a dictionary") }
    let live = try screens.mapValues { try JSONValue.object(from: $0, depthLimit: maxDepth) }
    guard live.values.reduce(0, { $0 + JSONValue.object($1).roughSize }) <= maxScreen else { throw Fault("is too large") }
    for key in Set(live.values.flatMap(\.keys)).subtracting(Screen.describedKeys + ["busy"]).sorted() {
      note(UnknownKey(key, in: nil, among: Screen.describedKeys))
    }
    return live
  }

  /// Reads the description of a screen.
  ///
  /// - Parameters:
  ///   - description: an object with the keys of the Router's screens that say what a screen shows, and `busy`, the text of
  ///     a busy screen.
  ///   - note: receives each key that is not known, and is ignored.
  /// - Returns: the screen.
  /// - Throws: `Fault` or `MalformedScreen`.
  package static func screen(from description: JSONValue, noting note: ((UnknownKey) -> Void)? = nil) throws -> Screen {
    guard case .object(var object) = description else { throw Fault("a screen is not an object") }
    let busy = object.removeValue(forKey: "busy")
    let screen = try Screen(describedAs: object, depthLimit: Self.maxDepth, noting: note)
    guard let busy else { return screen }
    guard let text = busy.string else { throw Fault("busy is not a string") }
    return screen.busy(text.isEmpty ? nil : Text(verbatim: text))
  }
}

extension AnswerDecoder.Fault {
  init(_ description: String) { self.description = description }
}
