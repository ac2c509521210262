import DialogTrial
import Forms
import Glibc
import ProgramQuestions

/// Serves one call of the shim after another, with the answers of a case.
struct ShimKeeper {
  private let listening: Int32

  /// The reason why there is no socket, or no call.
  enum Failure: Error { case socket(Int32), call }

  /// Listens at a path.
  init(path: String) throws {
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard listening >= 0, bound == 0, listen(listening, 8) == 0 else { throw Failure.socket(errno) }
  }

  /// Serves the next call. Returns its screens.
  func keep(_ acts: [DialogCase.Act]) throws -> [JSONValue] {
    let connection = accept(listening, nil, nil)
    guard connection >= 0 else { throw Failure.socket(errno) }
    defer { close(connection) }
    var session = DialogSession()
    var acts = acts[...]
    var screens: [JSONValue] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(connection, &bytes, bytes.count)
      guard count > 0 else { return screens }
      var effects = try session.receive(bytes[..<count])[...]
      while let effect = effects.popFirst() {
        switch effect {
        case .send(let bytes): send(bytes, to: connection)
        case .show(let question): screens.append(question.screen.told)
        case .ask(let question):
          screens.append(question.screen.told)
          guard let answer = acts.popFirst()?.answer(to: question) else { throw Failure.call }
          effects += session.answer(answer)
        case .wait: effects += session.timePassed()
        case .withdraw, .end: break
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
