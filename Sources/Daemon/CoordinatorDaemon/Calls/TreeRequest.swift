import CoordinatorKit

/// What a client asks of a flow tree, as it was read from a method call.
struct TreeRequest: Sendable, Hashable {
  /// What is asked.
  let call: TreeCall
  /// The request key, which makes the call safe to repeat; nil if the client gave none.
  let key: String?

  init(_ call: TreeCall, key: String? = nil) {
    self.call = call
    self.key = key
  }
}
