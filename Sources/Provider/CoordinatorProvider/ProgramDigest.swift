import Glibc

/// What changes with a program.
enum ProgramDigest {
  /// That of this process: when the file of the program was changed, and its size; "" if that cannot be read.
  static let own: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_size)"
  }()
}
