import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorKit
import Platform
import ProviderFiles

extension FlowAccess {
  /// Creates the rules from the sections `[Flow NAME]`. Blocks while names are looked up.
  ///
  /// - Parameters:
  ///   - read: the configuration. Unknown users and groups are added to its problems.
  ///   - isSystem: whether the daemon serves on the system bus.
  init(_ read: inout Configuration, isSystem: Bool) {
    self.init()
    for section in read.sections where section.family == DaemonKey.flowUsers.entry.family {
      guard isSystem else {
        read.refuse(section, "requires --system: on other buses, only the daemon's own user may call")
        continue
      }
      let rule = Rule(
        users: Self.numbers(DaemonKey.flowUsers, in: section, &read) { name throws(UserAccount.Unknown) in
          try UserAccount(named: name).number
        },
        groups: Self.numbers(DaemonKey.flowGroups, in: section, &read) { name throws(UserGroup.Unknown) in
          try UserGroup(named: name).number
        })
      let isRestricted = !read[DaemonKey.flowUsers, in: section].isEmpty || !read[DaemonKey.flowGroups, in: section].isEmpty
      if isRestricted { rules[section.name] = rule }
    }
  }

  private static func numbers<Failure: Error & CustomStringConvertible>(
    _ key: ConfigurationKey<[String]>, in section: ConfigurationSection, _ read: inout Configuration,
    _ lookUp: (String) throws(Failure) -> UInt32
  ) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    for word in read[key, in: section] {
      if let number = UInt32(word) {
        numbers.insert(number)
        continue
      }
      do {
        numbers.insert(try lookUp(word))
      } catch {
        read.refuse(key, in: section, error.description)
      }
    }
    return numbers
  }
}

extension Configuration {
  /// Reports the sections `[Flow NAME]` of flows that no user can start: a misspelt name would restrict nothing. Blocks
  /// while provider files are read, if there is a section whose flow is not built in.
  mutating func refuseSections(notIn catalogue: FlowCatalogue, _ places: ProviderPlaces) {
    let sections = sections.filter { $0.family == DaemonKey.flowUsers.entry.family }
    let isAllBuiltIn = sections.allSatisfy { catalogue.isBuiltIn($0.name) }
    let files = isAllBuiltIn ? .none : ProviderFiles.read(places, isBuiltIn: catalogue.isBuiltIn)
    for section in sections {
      guard let flow = catalogue.description(of: section.name) ?? files.entries[section.name]?.flow.description else {
        refuse(section, "there is no flow '\(section.name)'\(hint(for: section.name, in: catalogue, files))")
        continue
      }
      if flow.isInternal { refuse(section, "the flow is internal: only other flows start it, and no rule applies to it") }
    }
  }

  private func hint(for name: String, in catalogue: FlowCatalogue, _ files: ProviderFiles) -> String {
    let flows = catalogue.descriptions + files.entries.values.map(\.flow.description)
    let names = flows.filter { !$0.isInternal }.map(\.name).sorted()
    return Suggestion.best(for: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Writes the problems, if there are any.
  ///
  /// - Throws: `ExitCode` 78 if there are.
  func requireNoProblems(_ target: LogTarget, of program: String) throws {
    guard !problems.isEmpty else { return }
    for problem in problems { target.complain(problem.description, of: program) }
    throw ExitCode.configuration
  }
}
