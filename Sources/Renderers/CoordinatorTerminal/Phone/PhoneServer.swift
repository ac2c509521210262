import Glibc
import Platform
import RendererKit

/// The web server for the phone: `coordinator-web` as a separate process, which ends with this one.
///
/// It reads its standard input and ends at its end, so it also ends if this process is killed.
struct PhoneServer: Sendable {
  /// The news of the server, in order. The last is `Phone.News.ended`.
  let news: AsyncStream<Phone.News>
  /// The end of the pipe that keeps the server running.
  private let lifeline: Int32

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree that it serves.
  ///   - bus: options that select the daemon's bus.
  init(for tree: String, bus: [String]) {
    let (news, continuation) = AsyncStream.makeStream(of: Phone.News.self)
    self.news = news
    guard let input = Pipe(), let output = Pipe(), let errors = Pipe() else {
      lifeline = -1
      continuation.yield(.ended([String(cString: strerror(errno))]))
      continuation.finish()
      return
    }
    let arguments = ["coordinator-web", tree, "--lan", "--json", "--end-with-input"] + bus
    let ends = [input.reading, output.writing, errors.writing]
    lifeline = input.writing
    // The same thread starts the program and waits for its end, so that every started program is waited for.
    let started = Thread.start(name: "phone") {
      let lines: [String]
      do throws(ProcessStart.Failure) {
        let process = try Self.spawn(arguments, ends)
        for end in ends { close(end) }
        Self.follow(output.reading) { continuation.yield(.link($0)) }
        lines = Self.rest(of: errors.reading)
        for end in [output.reading, errors.reading] { close(end) }
        ProcessStart.wait(for: process)
      } catch {
        for end in ends + [output.reading, errors.reading] { close(end) }
        lines = ["coordinator-web: \(error)"]
      }
      continuation.yield(.ended(lines))
      continuation.finish()
    }
    if started { return }
    for end in ends + [output.reading, errors.reading] { close(end) }
    continuation.yield(.ended(["coordinator-web: \(String(cString: strerror(EAGAIN)))"]))
    continuation.finish()
  }

  /// Creates a server from a given stream of news, without a process.
  init(news: AsyncStream<Phone.News>) { (self.news, lifeline) = (news, -1) }

  /// Ends the server.
  func stop() { if lifeline >= 0 { close(lifeline) } }

  /// A pipe whose ends other programs do not inherit.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Starts a program from the directory of this one, or else from `PATH`.
  ///
  /// - Parameters:
  ///   - arguments: name of the program, and its arguments.
  ///   - streams: standard streams of the program.
  /// - Returns: the id of the process.
  /// - Throws: `ProcessStart.Failure`.
  private static func spawn(_ arguments: [String], _ streams: [Int32]) throws(ProcessStart.Failure) -> pid_t {
    let beside = (OwnProgram.directory ?? "") + "/" + arguments[0]
    return try ProcessStart.start(
      access(beside, X_OK) == 0 ? beside : arguments[0], arguments.map([CChar].init(argument:)), [.ownGroup, .searched]
    ) { actions in
      for (number, stream) in streams.enumerated() { actions.pass(stream, as: Int32(number)) }
    }
  }

  /// The maximum length of a line, and of an explanation, in bytes.
  private static let longest = 64 * 1024

  /// Reads the addresses that the server prints, until it ends.
  private static func follow(_ descriptor: Int32, _ report: (PhoneLink) -> Void) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 || (count < 0 && errno == EINTR) {
      bytes += buffer[..<max(count, 0)]
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        if let link = PhoneLink(line: String(decoding: bytes[..<end], as: UTF8.self)) { report(link) }
        bytes.removeSubrange(...end)
      }
      if bytes.count > longest { bytes = [] }
    }
  }

  /// Reads the server's standard error to its end.
  private static func rest(of descriptor: Int32) -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < longest, case let count = read(descriptor, &buffer, buffer.count),
      count > 0 || (count < 0 && errno == EINTR)
    {
      bytes += buffer[..<max(count, 0)]
    }
    return String(decoding: bytes, as: UTF8.self).bytes.split(separator: "\n").suffix(4).map(String.init)
  }
}
