import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import TestBus
import Testing

@Suite("The language of a mirrored window", .timeLimit(.minutes(5)))
struct WindowMirrorLanguageTests {
  private let german: LanguageTag
  private let french: LanguageTag

  init() throws { (german, french) = (try LanguageTag("de"), try LanguageTag("fr")) }

  private func snapshot(_ revision: UInt64, _ language: LanguageTag = .english) throws -> WindowSnapshot {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    return WindowSnapshot(revision: revision, screens: try truth.snapshot.screens, language: language)
  }

  @Test("A window has the language of the snapshot, until another one is announced")
  func windowHasTheLanguageOfTheSnapshot() throws {
    var mirror = WindowMirrorState()
    guard case .paint(let window) = try mirror.adopt(snapshot(1, german)) else {
      Issue.record("nothing is painted")
      return
    }
    #expect(window.language == german)
    #expect(mirror.languageChanged(to: french) == .language(french))
    #expect(mirror.window?.language == french)
    #expect(mirror.languageChanged(to: french) == .none)
    #expect(
      mirror.receive(.live(screen: 1, changed: ["title": .string("second")], removed: [])) == .paint(mirror.window ?? window))
    #expect(mirror.window?.language == french)
  }

  @Test("A language that is announced while a snapshot is being read overrides that of the snapshot")
  func announcedLanguageOverridesTheSnapshot() throws {
    var mirror = WindowMirrorState()
    #expect(mirror.languageChanged(to: german) == .none)
    _ = try mirror.adopt(snapshot(1))
    #expect(mirror.window?.language == german)
    #expect(mirror.missedSignals() == .readAgain)
    _ = try mirror.adopt(snapshot(1, french))
    #expect(mirror.window?.language == french)
    mirror.daemonGone()
    #expect(mirror.languageChanged(to: german) == .none)
    _ = mirror.daemonBack()
    _ = try mirror.adopt(snapshot(1))
    #expect(mirror.window?.language == .english)
  }

  @Test("The mirror reads the language when it attaches, and reports a change after the screens; other properties are ignored")
  func mirrorFollowsTheLanguage() async throws {
    let bus = try PrivateBus()
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    let daemon = try await FakeDaemon.start(on: bus, showing: truth)
    await daemon.speak("de")
    let client = try await DaemonClient.connect(to: .address(bus.address))
    let mirror = try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test", isComplete: true)
    var events = mirror.events.makeAsyncIterator()
    var window = await daemon.window
    window.language = german
    #expect(try await events.next() == .window(window))
    #expect(try await client.router(Contract.routerPath(of: ScriptedWindow.root)).window() == window)
    try await daemon.announce("Other", "x")
    try await daemon.play { $0.update(1, title: "premier", accent: nil) }
    try await daemon.announce("Language", "fr")
    guard case .window(let painted) = try await events.next() else {
      Issue.record("no window")
      return
    }
    #expect(painted.top?.screen.title == "premier")
    #expect(try await events.next() == .language(french))
    #expect(await daemon.readings == 1)
  }

  @Test("A daemon without languages has none, and its windows are in English")
  func olderDaemonHasNoLanguages() async throws {
    let bus = try PrivateBus()
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    let daemon = try await FakeDaemon.start(on: bus, showing: truth)
    let client = try await DaemonClient.connect(to: .address(bus.address))
    #expect(try await client.manager.languages().isEmpty)
    let mirror = try await WindowMirror.attach(to: ScriptedWindow.root, of: client, kind: "test")
    var events = mirror.events.makeAsyncIterator()
    #expect(try await events.next() == .window(await daemon.window))
    #expect(await daemon.window.language == .english)
  }
}
