import CoordinatorKit
import Glibc
import Languages
import Platform
import QRCodes
import RendererKit

/// Continues the flow on a phone: the state of the server that the phone connects to, and whether its address is shown.
struct Phone: Sendable, Hashable {
  /// The state of the server.
  enum State: Sendable, Hashable {
    /// It has not been started.
    case none
    /// It has been started, and has not reported its address yet.
    case starting
    /// It can be reached.
    case ready(PhoneLink)
    /// It cannot be reached, for the reason in these lines.
    case failed([String])
  }

  /// News of the server.
  enum News: Sendable, Hashable {
    /// The server has issued an address, which replaces earlier ones.
    case link(PhoneLink)
    /// The server has ended, with these lines.
    case ended([String])
  }

  var state = State.none
  /// Whether the address covers the screen.
  var isShown = false
  var scroll = Scroll()
}

/// The page that F2 opens: a QR code and an address that lead a phone to the flow.
struct PhoneView: Sendable {
  let state: Phone.State

  /// The width of the light margin of a code, in modules. Two are enough for a screen, although the standard asks for four.
  private static let margin = 2
  /// The distance between the code and the text beside it.
  private static let gap = 3
  /// The minimum width of the text beside a code.
  private static let leastText = 28

  func page(_ drawing: Drawing) -> Page {
    switch state {
    case .none, .starting: page(drawing, [Text("Making this flow reachable for your phone …").string])
    case .failed(let lines): page(drawing, [Text("Your phone cannot reach this flow:").string] + lines)
    case .ready(let link): page(link, drawing)
    }
  }

  private var title: Line { Line(Text("Continue on your phone").string, .strong) }

  private func page(_ drawing: Drawing, _ texts: [String]) -> Page {
    var page = Page(top: [title])
    page.append(texts.flatMap { drawing.wrapped($0.printable) }, spaced: true)
    return page
  }

  private func page(_ link: PhoneLink, _ drawing: Drawing) -> Page {
    let code = link.code.map { $0.halfBlocks(margin: Self.margin) } ?? []
    let width = link.code.map { $0.size + 2 * Self.margin } ?? 0
    let rest = drawing.columns - width - Self.gap
    let fits = drawing.symbols.hasBlocks && !code.isEmpty && width <= drawing.columns && code.count <= drawing.size.rows
    guard fits else {
      var page = Page(top: [title])
      let hint = Text("In a larger window, there is a code to scan.").string
      page.append(drawing.wrapped(hint, .quiet), spaced: true)
      page.append(text(link, drawing), spaced: true)
      return page
    }
    let rows = code.map { Line($0, Look(colour: .paper)) }
    guard rest >= Self.leastText else { return Page(middle: rows + [title] + text(link, drawing)) }
    var narrow = drawing
    narrow.size.columns = rest
    let beside = [title, .blank] + text(link, narrow)
    let blank = String(repeating: " ", count: width)
    return Page(
      middle: (0..<max(rows.count, beside.count)).map { row in
        let left = row < rows.count ? rows[row].spans : [Span(blank)]
        let right = row < beside.count ? beside[row].spans : []
        return Line(left + [Span(String(repeating: " ", count: Self.gap))] + right)
      })
  }

  /// Returns the text for a link, in short paragraphs.
  private func text(_ link: PhoneLink, _ drawing: Drawing) -> [Line] {
    drawing.wrapped(Text("Scan the code with a phone on this network, or open there:").string)
      + drawing.broken(link.address, .strong) + [.blank]
      + drawing.wrapped(Text("The address works once, for ten minutes.").string) + [.blank]
      + drawing.wrapped(
        Text("The phone may warn of a certificate that it does not know. This is the right one (SHA-256):").string)
      + fingerprint(link.fingerprint, columns: drawing.columns).map { Line($0, .quiet) }
  }

  /// Splits a fingerprint between its bytes.
  private func fingerprint(_ text: String, columns: Int) -> [String] {
    let bytes = text.bytes.split(separator: ":")
    let count = max(min((columns + 1) / 3, 8), 1)
    return stride(from: 0, to: bytes.count, by: count).map { start in
      bytes[start..<min(start + count, bytes.count)].joined(separator: ":")
    }
  }
}

/// An address that admits a phone to the flow.
struct PhoneLink: Sendable, Hashable {
  /// The reason why the server issued the address.
  enum Occasion: String, Sendable, Hashable {
    /// The server has started.
    case start
    /// A browser has used the previous one.
    case use
    /// The previous one has expired.
    case expiry
  }

  /// The address, to be typed.
  let address: String
  /// The QR code for the address; nil if the address is too long for one.
  let code: QRCode?
  /// The SHA-256 fingerprint of the server's certificate.
  let fingerprint: String
  let occasion: Occasion

  /// Decodes a line that `coordinator-web --json` prints; nil if it is not one.
  init?(line: String) {
    guard let value = try? JSONValue(parsing: line.utf8), case .object(let object) = value,
      case .string(let address)? = object["address"], case .string(let code)? = object["code"],
      case .string(let fingerprint)? = object["fingerprint"], case .string(let occasion)? = object["because"],
      let occasion = Occasion(rawValue: occasion)
    else { return nil }
    self.address = address
    self.code = QRCode(code)
    self.fingerprint = fingerprint
    self.occasion = occasion
  }
}

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
