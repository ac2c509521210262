import Glibc

/// A failed system call, or a system condition that this program does not accept.
struct SystemError: Error, CustomStringConvertible {
  /// The error number (`errno`); 0 if no system call failed.
  let code: Int32
  let description: String

  /// Creates an error from the calling thread's `errno`, or from another error number.
  init(_ code: Int32 = errno) {
    self.code = code
    description = String(cString: strerror(code))
  }

  /// Creates an error with a message of this program.
  init(_ description: String) {
    code = 0
    self.description = description
  }

  /// Returns the result of a call, or throws the calling thread's `errno` if it is negative.
  @discardableResult
  static func check(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError() }
    return result
  }
}
