/// The result of a command that replaces a real one.
package struct CommandResult: Sendable, Hashable {
  /// The exit status.
  package var status: UInt8
  /// The output before the exit, by file descriptor, in this order.
  package var outputs: [Output]

  /// Bytes for a file descriptor.
  package struct Output: Sendable, Hashable {
    package var descriptor: Int32
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8], to descriptor: Int32) { (self.bytes, self.descriptor) = (bytes, descriptor) }
  }

  package init(status: UInt8, outputs: [Output] = []) { (self.status, self.outputs) = (status, outputs) }
}
