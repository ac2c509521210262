/// How a command that stands in for a real one ends.
package struct CommandResult: Sendable, Hashable {
  /// The exit status.
  package var status: UInt8
  /// What is written before, by file descriptor, in this order.
  package var outputs: [Output]

  /// Bytes for a file descriptor.
  package struct Output: Sendable, Hashable {
    package var descriptor: Int32
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8], to descriptor: Int32) { (self.bytes, self.descriptor) = (bytes, descriptor) }
  }

  package init(status: UInt8, outputs: [Output] = []) { (self.status, self.outputs) = (status, outputs) }
}
