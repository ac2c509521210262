import CoordinatorKit
import Glibc

/// A program of the system, which is found on the path and given all its input before it starts.
struct Program {
  let name: String

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: arguments, without the name.
  ///   - input: bytes for its standard input, at most 4096.
  /// - Returns: its output.
  /// - Throws: ``Problem`` with what it says, if it fails.
  @discardableResult
  func run(_ arguments: [String] = [], input: borrowing Span<UInt8> = Span()) throws -> String {
    let stdin = try Self.pipe()
    defer { close(stdin.read) }
    // A program that does not read cannot block this, and one that reads gets all of the input or nothing.
    let written = input.withUnsafeBytes { write(stdin.write, $0.baseAddress, $0.count) }
    close(stdin.write)
    guard written == input.count else { throw Problem("The machine has no memory left.") }
    let stdout = try Self.pipe()
    defer { close(stdout.read) }
    let started = Result { try start(arguments, stdin: stdin.read, output: stdout.write) }
    close(stdout.write)
    let process = try started.get()
    let output = Self.read(stdout.read)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw Problem(Text(verbatim: "\(name): \(String(cString: strerror(errno)))")) }
    }
    guard status == 0 else { throw Problem(Text(verbatim: "\(name): \(output.isEmpty ? "status \(status >> 8)" : output)")) }
    return output
  }

  private func start(_ arguments: [String], stdin: Int32, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in [(stdin, 0), (output, 1), (output, 2)] { posix_spawn_file_actions_adddup2(&actions, from, Int32(to)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of work block signals; the program should not inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var argv: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    var process = pid_t()
    let status = posix_spawnp(&process, name, &actions, &attributes, &argv, environ)
    guard status == 0 else { throw Problem(Text(verbatim: "\(name): \(String(cString: strerror(status)))")) }
    return process
  }

  /// Returns a pair of sockets, because the Glibc module lacks pipe2(2). A program that another thread starts at the same time
  /// must not inherit an end, because this process would then wait for that program.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Problem("The machine has no memory left.") }
    return (ends[0], ends[1])
  }

  private static func read(_ descriptor: Int32) -> String {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
    while bytes.last == 0x0A { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
