import Glibc

/// What the system said to a call, in its words or in ours.
struct SystemError: Error, CustomStringConvertible {
  /// The number; 0 if the system had nothing against it.
  let code: Int32
  let description: String

  /// The last error of this thread, or another one.
  init(_ code: Int32 = errno) {
    self.code = code
    description = String(cString: strerror(code))
  }

  /// What we have against it.
  init(_ description: String) {
    code = 0
    self.description = description
  }

  /// Passes a call's result on, unless it is negative.
  @discardableResult
  static func check(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError() }
    return result
  }
}
