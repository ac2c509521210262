import CoordinatorKit

/// A client's request to a flow tree, read from a method call.
struct TreeRequest: Sendable, Hashable {
  let call: TreeCall
  /// The request key, which makes the call safe to repeat; nil if the client gave none.
  let key: String?

  init(_ call: TreeCall, key: String? = nil) {
    self.call = call
    self.key = key
  }
}
