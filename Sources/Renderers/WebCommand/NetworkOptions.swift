import ArgumentParser
import CoordinatorWeb
import Platform

/// The options that put the server on the network, and encrypt its pages.
struct NetworkOptions: ParsableArguments {
  @Flag(help: "Serve on the network, encrypted, for phones and other machines.")
  var lan = false

  @Option(help: ArgumentHelp("With --lan, serve on this address of this machine only.", valueName: "address"))
  var lanAddress: IPAddress?

  @Option(
    help: ArgumentHelp("A certificate for TLS in PEM format, instead of a generated one; requires --key.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The key of the certificate, in PEM format.", valueName: "file"), completion: .file())
  var key: String?

  /// Whether any option is given.
  var isUsed: Bool { lan || certificate != nil }

  func validate() throws {
    if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key require each other") }
    if lanAddress != nil && !lan { throw ValidationError("--lan-address requires --lan") }
  }

  /// Returns the address to listen on.
  func place(port: UInt16) -> Listener.Place {
    lan ? .network(address: lanAddress, port: port) : .loopback(port: port)
  }

  /// Creates the certificate to serve with.
  ///
  /// - Parameter environment: environment of the process, which determines the location of a generated certificate.
  /// - Returns: the certificate; nil for plain HTTP.
  func serverCertificate(for environment: [String: String]) -> ServerCertificate? {
    if let certificate, let key { return ServerCertificate(.files(certificate: certificate, key: key)) }
    return lan ? ServerCertificate(.own(directory: Self.stateDirectory(environment) + "/web")) : nil
  }

  /// Returns the directory of coordinatord's state: `$STATE_DIRECTORY` if systemd sets it, else below `$XDG_STATE_HOME`, else
  /// below `~/.local/state`.
  private static func stateDirectory(_ environment: [String: String]) -> String {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.bytes.hasPrefix("/") ? $0 : nil } }
    if let own = absolute("STATE_DIRECTORY") { return String(own.bytes.cut(at: ":")?.before ?? own[...]) }
    return (absolute("XDG_STATE_HOME") ?? (absolute("HOME") ?? "") + "/.local/state") + "/coordinatord"
  }
}
