import ProgramQuestions
import Testing

/// The requirements before a program starts.
@Suite("What debconf needs", .timeLimit(.minutes(1)))
struct DebconfRequirementTests {
  private func problems(_ program: String, without missing: DebconfRequirement...) -> [DebconfRequirement.Problem] {
    DebconfRequirement.problems(starting: program) { !missing.contains($0) }
  }

  @Test("Nothing is said if everything is there")
  func complete() { #expect(problems("apt-get").isEmpty) }

  @Test("T8: without Text::Iconv, nothing that configures packages is started, and the package to install is named")
  func iconv() {
    for program in ["apt-get", "/usr/sbin/dpkg-reconfigure", "apt", "debconf"] {
      let problem = problems(program, without: .iconv).first
      #expect(problem?.isFatal == true)
      #expect(problem?.sentence.contains("apt-get install libtext-iconv-perl") == true)
    }
    #expect(problems("raspi-config", without: .iconv).map(\.isFatal) == [false])
  }

  @Test("T8: without apt-utils, apt starts, and the user knows what is different")
  func aptUtils() {
    #expect(problems("apt", without: .aptUtils).map(\.isFatal) == [false])
    #expect(problems("apt", without: .aptUtils).first?.sentence.contains("apt-get install apt-utils") == true)
    #expect(problems("dpkg-reconfigure", without: .aptUtils).isEmpty)
  }

  @Test("T5 and T10: another encoding, or no socket, keeps packages from being configured")
  func encoding() {
    let problems = problems("apt", without: .unicode, .socket)
    #expect(problems.map(\.requirement) == [.unicode, .socket])
    #expect(problems.map(\.isFatal) == [true, true])
  }

  @Test("Without debconf, only its own programs are not started")
  func noDebconf() {
    #expect(problems("raspi-config", without: .debconf, .iconv, .unicode).isEmpty)
    #expect(problems("dpkg-preconfigure", without: .debconf, .iconv).map(\.requirement) == [.debconf])
  }

  @Test("Every requirement can be found out")
  func probes() {
    #expect(DebconfRequirement.allCases.count { $0.probe == .listening } == 1)
    #expect(DebconfRequirement.unicode.probe == .output(["locale", "charmap"], equals: "UTF-8"))
  }

  @Test("The environment names the socket, and has an encoding for all answers")
  func environment() {
    let old = ["HOME": "/root", "LANG": "de_DE.UTF-8@euro", "DEBCONF_READFD": "3", "DEBIAN_FRONTEND": "noninteractive"]
    let new = DebconfEnvironment.adapting(old, socket: "/run/x")
    #expect(
      new == ["HOME": "/root", "LANG": "de_DE.UTF-8@euro", "DEBIAN_FRONTEND": "passthrough", "DEBCONF_PIPE": "/run/x"])
    for locale in [["LC_ALL": "C", "LANG": "de_DE.UTF-8"], ["LANG": "de_DE.ISO-8859-1"], ["LC_CTYPE": "POSIX"], [:]] {
      #expect(DebconfEnvironment.adapting(locale, socket: "/run/x")["LC_ALL"] == "C.UTF-8")
    }
    let unattended = DebconfEnvironment.adapting(["LANG": "de_DE.utf8", "LANGUAGE": "de"], socket: "/x", isUnattended: true)
    #expect(unattended["LC_ALL"] == "C.UTF-8")
    #expect(unattended["LANGUAGE"] == nil)
  }
}
