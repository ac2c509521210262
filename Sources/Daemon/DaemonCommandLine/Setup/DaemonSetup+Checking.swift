import ArgumentParser
import ConfigurationFiles
import ProviderFiles

extension DaemonSetup {
  /// Prints the effective settings and what the provider files say, as `--check-config` does. Blocks while files are
  /// read.
  ///
  /// - Parameter isBuiltIn: whether the daemon itself serves a flow.
  /// - Throws: `ExitCode` 78 if a provider file has problems. All of them have then been written to stderr.
  func checkProviders(isBuiltIn: (String) -> Bool) throws {
    let files = ProviderFiles.read(daemon.providers, isBuiltIn: isBuiltIn)
    print(configuration)
    for line in files.summary { print(line) }
    guard !files.allProblems.isEmpty else { return }
    for problem in files.allProblems { LogTarget.standardError.complain(problem.description, of: source.program) }
    throw ExitCode.configuration
  }
}

extension ProviderFiles {
  /// What the files say, as comments of a configuration file: each file with its bus name and the flows that it gets.
  fileprivate var summary: [String] {
    guard !files.isEmpty else { return [] }
    return [""]
      + files.flatMap { file in
        let flows = entries.filter { $0.value.file.path == file.path }.map(\.key).sorted()
        let lost = losses[file.path] ?? []
        return ["# Provider file: \(file.path): \(file.busName): \(flows.joined(separator: " "))"]
          + lost.map { "#   without \($0.flow): \($0.reason)" }
      }
  }
}
