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
  /// The most bytes that one screen may take up in a message.
  static let maxScreen = 1 << 20
  /// The most bytes of a key or an id.
  static let maxName = 256
  /// The most operations of one answer.
  static let maxOperations = 64

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
        decision.screens[key] = try screen(value, key)
      }
    }
    return decision
  }

  private func screen(_ value: Value, _ key: String) throws(Fault) -> DescribedScreen {
    guard key.utf8.count <= Self.maxName else { throw Fault("has a screen with a key of more than \(Self.maxName) bytes") }
    guard var values = value.vardict else { throw Fault("has the screen \(key), which is not a dictionary") }
    guard value.wireSize <= Self.maxScreen else { throw Fault("has the screen \(key), which is too large") }
    let back = values.removeValue(forKey: "back")
    guard back == nil || back?.bool != nil else { throw Fault("has the screen \(key) with a back that is not a boolean") }
    // A client may meet a kind that is newer than itself; what a provider shows has to be known.
    let kind = values[ScreenKey.kind.rawValue]?.string ?? ""
    guard Screen.Kind(rawValue: kind) != nil else { throw Fault("has the screen \(key) of the unknown kind \(kind)") }
    let content: Screen
    do throws(MalformedScreen) {
      content = try Screen(describedAs: values, noting: note)
      try content.validate()
    } catch {
      throw Fault("has the screen \(key), whose \(error.fault)")
    }
    let secrets = content.form?.schema.secretFields ?? []
    guard !content.values.keys.contains(where: secrets.contains) else {
      throw Fault("has the screen \(key) with a value of a secret field")
    }
    return DescribedScreen(content, back: back?.bool ?? true)
  }

  /// Reads parts of screens by key.
  ///
  /// - Parameters:
  ///   - value: the parts.
  ///   - note: receives each key that is not known, and is ignored.
  /// - Returns: the parts.
  /// - Throws: `Fault`.
  static func live(_ value: Value, noting note: (UnknownKey) -> Void) throws(Fault) -> [String: [String: Value]] {
    guard let screens = value.vardict else { throw Fault("is not a dictionary") }
    guard value.wireSize <= maxScreen else { throw Fault("is too large") }
    var live: [String: [String: Value]] = [:]
    for (key, parts) in screens {
      guard let parts = parts.vardict else { throw Fault("has parts that are not a dictionary") }
      live[key] = parts
    }
    for key in Set(live.values.flatMap(\.keys)).subtracting(Screen.describedKeys + [Screen.busyKey]).sorted() {
      note(UnknownKey(key, in: nil, among: Screen.describedKeys))
    }
    return live
  }
}

extension AnswerDecoder.Fault {
  init(_ description: String) { self.description = description }
}
