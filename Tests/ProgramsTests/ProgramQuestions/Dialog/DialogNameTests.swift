import Testing
@testable import ProgramQuestions

@Suite(.timeLimit(.minutes(1))) struct DialogNameTests {
  @Test func `Numbers and paths do not change a name`() {
    let one = DialogName.name("yesno", ["Step 3/31", "Delete /tmp/x.1 with 25 files?"])
    #expect(one == DialogName.name("yesno", ["Step 4/31", "Delete /var/y with 7 files?"]))
    #expect(one == "yesno-step-delete-with-files")
  }

  @Test func `A long text ends with a digest of all of it`() {
    let text = "This is a text that is much longer than the name of any screen should ever be, and it goes on"
    let one = DialogName.name("msgbox", ["", ProgramText(text)])
    #expect(one != DialogName.name("msgbox", ["", ProgramText(text + " and on")]))
    #expect(one.utf8.count <= 70)
    #expect(one.hasPrefix("msgbox-this-is-a-text-that-is-much-longer"))
  }

  @Test func `Words that are not ASCII are in the digest only`() {
    let name = DialogName.name("menu", ["Größe wählen", ""])
    #expect(name != DialogName.name("menu", ["Länge wählen", ""]))
    #expect(name.utf8.allSatisfy { $0 < 0x80 })
  }
}
