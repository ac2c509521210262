/// Bytes that must not be printed by mistake: a password that another program has set before.
struct HiddenBytes: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  var description: String { "••••••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
