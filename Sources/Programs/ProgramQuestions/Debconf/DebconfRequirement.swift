import Platform

/// The requirements for debconf's questions to arrive; without them, debconf silently takes defaults, or fails (traps T5, T8,
/// T10).
package enum DebconfRequirement: String, Sendable, Hashable, CaseIterable {
  /// debconf itself.
  case debconf
  /// Perl's Text::Iconv, which debconf only recommends, but without which its frontend fails.
  case iconv
  /// The program that reads the questions of packages before they are installed.
  case aptUtils
  /// An encoding that can represent all answers.
  case unicode
  /// The socket that debconf connects to.
  case socket

  /// A way to test whether a requirement is met.
  package enum Probe: Sendable, Hashable {
    /// A file that must exist.
    case file(String)
    /// A command that must end with status 0.
    case command([String])
    /// A command that must print this line, in the environment of the program.
    case output([String], equals: String)
    /// A socket of the keeper must listen.
    case listening
  }

  /// The test whether the requirement is met.
  package var probe: Probe {
    switch self {
    case .debconf: .file("/usr/share/debconf/confmodule")
    case .iconv: .command(["perl", "-MText::Iconv", "-e", "1"])
    case .aptUtils: .file("/usr/bin/apt-extracttemplates")
    case .unicode: .output(["locale", "charmap"], equals: "UTF-8")
    case .socket: .listening
    }
  }

  /// A requirement that is not met.
  package struct Problem: Sendable, Hashable {
    /// The requirement that is not met.
    package let requirement: DebconfRequirement
    /// Whether the program must not be started, because its packages would be configured without asking.
    package let isFatal: Bool
    /// The sentence to show to the user.
    package let sentence: String
  }

  /// Returns the requirements that are not met for a program.
  ///
  /// If there is a problem and none is fatal, the program is started without `DEBIAN_FRONTEND`: debconf then asks by whiptail.
  ///
  /// - Parameters:
  ///   - program: the path or name of the program to start.
  ///   - isMet: returns whether a requirement is met.
  /// - Returns: the problems, with the most important one first.
  package static func problems(starting program: String, isMet: (DebconfRequirement) -> Bool) -> [Problem] {
    let name = program.bytes.split(separator: "/").last.map(String.init) ?? program
    let isInstaller = ["apt", "apt-get", "aptitude", "nala", "unattended-upgrade"].contains(name)
    let usesDebconf = isInstaller || name.bytes.hasPrefix("dpkg") || name.bytes.hasPrefix("debconf")
    guard isMet(.debconf) else {
      guard usesDebconf else { return [] }
      return [Problem(requirement: .debconf, isFatal: true, sentence: DebconfRequirement.debconf.sentence)]
    }
    return allCases.filter { !isMet($0) && ($0 != .aptUtils || isInstaller) }
      .map { Problem(requirement: $0, isFatal: usesDebconf && $0 != .aptUtils, sentence: $0.sentence) }
  }

  private var sentence: String {
    switch self {
    case .debconf: "debconf is not installed, so packages cannot ask anything; install it with: apt-get install debconf"
    case .iconv:
      "Perl's Text::Iconv is missing, without which debconf cannot pass its questions on; install it with: "
        + "apt-get install libtext-iconv-perl"
    case .aptUtils:
      "apt-utils is missing, so packages ask in the middle of the installation instead of before it; install it with: "
        + "apt-get install apt-utils"
    case .unicode: "the locale does not use UTF-8, so debconf would store answers with other letters as empty; set LC_ALL=C.UTF-8"
    case .socket: "debconf's socket does not listen, so packages would silently be configured with their defaults"
    }
  }
}
