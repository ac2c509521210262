import ConfigurationFiles
import CoordinatorBus
import CoordinatorDaemon
import Platform

extension DaemonArguments {
  /// Reads a command line of nothing but whole options, each at most once and with a valid value, as units and activation
  /// files have them. Anything else is ArgumentParser's, which also words the errors; nil then.
  ///
  /// ArgumentParser would take a third of the time in which a daemon starts.
  ///
  /// - Parameters:
  ///   - arguments: arguments without the program's name.
  ///   - keys: keys of the daemon's own.
  init?(plain arguments: some Sequence<String>, keys: [KeyEntry]) {
    let known = Dictionary((DaemonKey.all + keys).compactMap { key in key.flag.map { ("--\($0)", key) } }) { first, _ in first }
    var seen: Set<String> = []
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      let parts = argument.bytes.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts[0]
      guard seen.insert(option).inserted else { return nil }
      switch option {
      case "--system" where parts.count == 1: isSystem = true
      case "--replace" where parts.count == 1: replaces = true
      case "--ephemeral" where parts.count == 1: given.append(DaemonKey.ephemeral.entry.given("yes"))
      case "--no-ephemeral" where parts.count == 1: given.append(DaemonKey.ephemeral.entry.given("no"))
      case "--config":
        guard let file = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(file) else { return nil }
        self.file = file
      case "--name":
        guard let text = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(text), let name = try? DaemonName(text) else {
          return nil
        }
        self.name = name
      case "--group":
        guard let text = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(text), let group = try? UserGroup(named: text)
        else { return nil }
        given.append(DaemonKey.group.entry.given(group.name))
      default:
        guard let key = known[option], option != "--ephemeral", let value = parts.count == 2 ? parts[1] : rest.next(),
          Self.isPlain(value), key.isValid(value)
        else { return nil }
        given.append(key.given(value))
      }
    }
    let pairs = [("--system", "--address"), ("--ephemeral", "--state-dir"), ("--ephemeral", "--no-ephemeral")]
    guard !pairs.contains(where: { seen.contains($0) && seen.contains($1) }) else { return nil }
    guard seen.contains("--system") || !seen.contains("--group") else { return nil }
  }

  /// Whether a value cannot be taken for an option.
  private static func isPlain(_ value: String) -> Bool { !value.isEmpty && !value.bytes.hasPrefix("-") }
}
