import ArgumentParser
import ControlTool
import Platform
import RendererKit

/// The `coordinatorctl pinentry` command.
struct Pinentry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pinentry",
    abstract: "Ask for passphrases of GnuPG in every renderer: a pinentry for gpg-agent.",
    discussion: """
      gpg-agent starts it: put 'pinentry-program /usr/libexec/coordinatord/pinentry' into ~/.gnupg/gpg-agent.conf, and run \
      'gpgconf --reload gpg-agent'. If nobody on the bus can ask, another pinentry that is installed takes over.
      """)
  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("What gpg-agent says, for another pinentry.", valueName: "argument"))
  var arguments: [String] = []

  func run() async throws {
    AskPassphrase.joinProgram(in: Environment.variables)
    let output = ToolOutput(isJSON: false, style: TextStyle(environment: [:], isTerminal: false), write: { _ in })
    var status: Int32?
    do {
      _ = try await ToolSession.run(on: .session, output: output, readFile: { _ in nil }) { session in
        status = try await AskPassphrase(session).run()
        return .success
      }
    } catch {
      AskPassphrase.takeOver(
        by: ["pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry-curses", "pinentry-tty"], arguments)
      StandardStreams.complain("coordinatorctl: \(error)\n")
    }
    throw ExitCode(status ?? 125)
  }
}

/// The `coordinatorctl password-agent` command.
struct PasswordAgent: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password-agent",
    abstract: "Ask in every renderer for the passwords that systemd asks its agents for.",
    discussion: """
      Shows each request of systemd-ask-password(1), such as for an encrypted disk or the key of a service, as a flow of its own, \
      until somebody has answered it here or elsewhere. Runs until it is ended. Only root may answer the requests of the system.
      """)
  @OptionGroup var global: GlobalOptions

  @Option(help: "The directory with the requests: by default /run/systemd/ask-password for root, and for others their own.")
  var directory: String?

  func run() async throws {
    try await global.perform { session in
      try await AnswerPasswordRequests(session, directory: directory).run(complain: StandardStreams.complain)
    }
  }
}
