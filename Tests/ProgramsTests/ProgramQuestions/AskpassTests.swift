import Forms
import ProgramQuestions
import Testing

/// Calls of askpass programs, with the prompts of OpenSSH 9.2, sudo 1.9.13 and git 2.39.
@Suite("Askpass", .timeLimit(.minutes(1)))
struct AskpassTests {
  @Test(
    "Prompts are distinguished by their text and by SSH_ASKPASS_PROMPT",
    arguments: [
      ("[sudo] password for ada: ", nil, .sudo, .secret, "sudo-password"),
      ("ada@host's password: ", nil, .ssh, .secret, "ssh-password"),
      ("Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", nil, .ssh, .secret, "ssh-password"),
      ("Allow use of key id_ed25519?\nKey fingerprint SHA256:x.", "confirm", .ssh, .permission, "ssh-confirm"),
      ("Confirm user presence for key ED25519-SK SHA256:x", "none", .ssh, .notice, "ssh-notice"),
      ("Please type 'yes', 'no' or the fingerprint: ", nil, .ssh, .word, "ssh-confirm"),
      ("Username for 'https://example.org': ", nil, .git, .text, "git-username"),
      ("Password for 'https://ada@example.org': ", nil, .git, .secret, "git-password"),
      ("[sudo] password for ada: ", "confirm", .sudo, .secret, "sudo-password"),
      ("Secret? ", nil, .other, .secret, "askpass-password"),
    ] as [(String, String?, AskpassProgram, AskpassRequest.Kind, String)])
  func kinds(prompt: String, hint: String?, program: AskpassProgram, kind: AskpassRequest.Kind, name: String) {
    let request = AskpassRequest(prompt: prompt, hint: hint, from: program)
    #expect(request.kind == kind)
    #expect(request.name == name)
    #expect(request.question.told["name"] == .string(name))
    #expect(!request.question.allowsBack)
  }

  @Test("The key of an unknown host is confirmed with a word")
  func hostKey() {
    let request = AskpassRequest(
      prompt: """
        The authenticity of host 'example.org (192.0.2.1)' can't be established.
        ED25519 key fingerprint is SHA256:abc.
        Are you sure you want to continue connecting (yes/no/[fingerprint])?\u{20}
        """, from: .ssh)
    let screen = request.question.told
    #expect(screen["kind"] == "menu")
    #expect(screen["title"] == "ssh asks")
    #expect(screen["blocks"]?.array?.count == 3)
    #expect(request.result(of: .action("yes")) == CommandResult(status: 0, outputs: [.init(Array("yes\n".utf8), to: 1)]))
    #expect(request.result(of: .action("no")) == CommandResult(status: 0, outputs: [.init(Array("no\n".utf8), to: 1)]))
    #expect(request.result(of: .back) == CommandResult(status: 1))
  }

  @Test("A permission is refused by the status")
  func permission() {
    let request = AskpassRequest(prompt: "Allow use of key?", hint: "confirm", from: .ssh)
    #expect(request.result(of: .action("yes")).status == 0)
    #expect(request.result(of: .action("no")) == CommandResult(status: 1))
  }

  @Test("A password is a secret field, and goes out with one line break")
  func password() {
    let request = AskpassRequest(prompt: "\u{1B}[1mPassword for 'https://ada@example.org':\u{1B}[0m ", from: .git)
    let screen = request.question.told
    #expect(screen["schema"]?["properties"]?["answer"]?["writeOnly"] == true)
    #expect(screen["schema"]?["properties"]?["answer"]?["title"] == "␛[1mPassword for 'https://ada@example.org':␛[0m")
    #expect(
      request.result(of: .okay(secrets: ["answer": "pä\nss "]))
        == CommandResult(status: 0, outputs: [.init(Array("päss \n".utf8), to: 1)]))
    #expect(request.result(of: .okay(["answer": "open"])) == CommandResult(status: 1))
    #expect(request.result(of: .action("cancel")) == CommandResult(status: 1))
  }

  @Test("A user name is a text, and the prompt its label")
  func userName() {
    let request = AskpassRequest(prompt: "Username for 'https://example.org': ", from: .git)
    let screen = request.question.told
    #expect(screen["schema"]?["properties"]?["answer"] == ["type": "string", "title": "Username for 'https://example.org'"])
    #expect(request.result(of: .okay(["answer": "ada"])).outputs.first?.bytes == Array("ada\n".utf8))
  }

  @Test("Who asks is known by the name of the command")
  func programs() {
    let commands = ["/usr/bin/sudo", "git", "git-remote-https", "ssh-add", "/usr/bin/ssh", "scp", "bash"]
    #expect(commands.map { AskpassProgram(command: $0) } == [.sudo, .git, .git, .ssh, .ssh, .ssh, .other])
  }
}
