import Glibc
import Platform
import ProgramQuestions

/// Checks whether debconf can pass its questions on.
struct DebconfCheck {
  private let environment: [String: String]

  /// Creates a check.
  ///
  /// - Parameter environment: the environment of the caller.
  init(_ environment: [String: String]) {
    self.environment = DebconfEnvironment.adapting(environment, socket: "")
  }

  /// Returns whether a program's packages can ask through the keeper; otherwise debconf asks by whiptail, if at all.
  ///
  /// - Parameter program: the program.
  /// - Returns: whether they can.
  /// - Throws: ``KeeperFailure``, if packages would be configured without asking.
  func passesOn(_ program: String) throws(KeeperFailure) -> Bool {
    let problems = DebconfRequirement.problems(starting: program, isMet: isMet)
    if let fatal = problems.first(where: \.isFatal) { throw KeeperFailure(fatal.sentence) }
    // Without apt-utils, packages ask later, but still through the keeper.
    return problems.allSatisfy { $0.requirement == .aptUtils }
  }

  private func isMet(_ requirement: DebconfRequirement) -> Bool {
    switch requirement.probe {
    case .file(let path): access(path, R_OK) == 0
    case .command(let words): run(words) != nil
    case .output(let words, let line): run(words) == "\(line)\n"
    // The socket listens before the program is started.
    case .listening: true
    }
  }

  /// Returns the output of a command; nil if the command fails.
  private func run(_ words: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let variables = environment.map { [CChar](argument: "\($0.key)=\($0.value)") }
    let process = try? ProcessStart.start(
      words[0], words.map([CChar].init(argument:)), environment: variables, .searched
    ) { actions in
      for number: Int32 in [0, 2] { actions.open(number, "/dev/null", O_RDWR) }
      actions.pass(ends[1], as: 1)
    }
    close(ends[1])
    guard let process else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return ProcessStart.wait(for: process) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
