import CScripts
import CoordinatorKit
import Forms
import Glibc

/// A pipe from which the value of a secret can be read once.
package final class SecretPipe: Sendable {
  /// The end to read from.
  package let reading: Int32

  /// Writes a secret into a new pipe; nil if the system has none left, or the secret does not fit.
  package init?(_ secret: Secret) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else {
      reading = -1
      return nil
    }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let isWritten = secret.withBytes { bytes in
      bytes.withUnsafeBufferPointer { $0.isEmpty || Glibc.write(ends[1], $0.baseAddress, $0.count) == $0.count }
    }
    close(ends[1])
    reading = ends[0]
    if !isWritten { return nil }
  }

  deinit { if reading >= 0 { close(reading) } }
}
