import CoordinatorKit
import Forms
import Platform

/// A child flow for which a stub stands, or whoever walks: a coordinator with a single piece of work, whose result is how the
/// child ends.
package enum StandIn {
  private static let prefix = "stand-in "

  /// The name of the operation that has started the child; nil if it is a script.
  ///
  /// - Parameter text: the state of the child, or the argument of its work.
  /// - Returns: the name.
  package static func name(in text: String) -> String? { text.bytes.dropping(prefix: prefix).map(String.init) }

  static func text(_ name: String) -> String { prefix + name }
  static func work(_ name: String) -> ProvidedWork { ProvidedWork(id: "child", argument: text(name)) }

  /// What ends the child as its work has.
  static func ending(_ text: String) -> FlowDecision.Operation {
    JSONValue(json: text)?["finished"]?.object.map { .finish($0, secrets: [:]) } ?? .cancel
  }
}

extension Outcome {
  /// The outcome as the result of the work of a stand-in.
  package var standInText: String {
    guard case .finished(let result) = self else { return "" }
    return JSONValue.object(["finished": .object(result)]).canonicalText
  }
}
