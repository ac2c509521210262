import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Drives a ``Display``: follows the window of a flow tree, paints, reads keys, and performs the display's effects.
struct FullScreenSession: Sendable {
  private enum News: Sendable {
    case terminal(CursesTerminal.Input)
    case input(Display.Input)
    case failed(ClientError)
  }

  let daemon: DaemonClient
  let tree: ObjectPath
  let terminal: CursesTerminal
  let manner: DisplayManner
  /// The driver of the server for a phone.
  let phone: PhoneDriver
  /// The policy for a terminal in a public place.
  var policy = KioskPolicy.none

  /// The end of a session.
  struct Ending: Sendable, Hashable {
    var exit: ToolExit
    /// The lines to write after the terminal has been restored.
    var lines: [String] = []
    /// The end of the flow; nil if it continues.
    var end: FlowEnd?
    /// The unsent texts, which `lines` contains as well.
    var unsent: [UnsentText] = []
  }

  /// Shows the flow until it ends or the user leaves. Does not restore the terminal.
  ///
  /// - Returns: how the session ended.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  func run() async throws(ClientError) -> Ending {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "terminal", name: TerminalName.current)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let events = Task {
      do throws(ClientError) {
        for try await event in mirror.events {
          if case .ended(.finished) = event { continuation.yield(.input(.flow(await daemon.flow(ofEnded: tree)))) }
          continuation.yield(.input(.event(event)))
        }
      } catch {
        continuation.yield(.failed(error))
      }
    }
    let inputs = Task { for await input in terminal.inputs() { continuation.yield(.terminal(input)) } }
    defer {
      events.cancel()
      inputs.cancel()
    }
    let end: Ending
    do throws(ClientError) {
      end = try await show(news) { continuation.yield(.input($0)) }
    } catch {
      await phone.stop()
      throw error
    }
    await phone.stop()
    await mirror.close()
    return end
  }

  private func show(
    _ news: AsyncStream<News>, answer: @escaping @Sendable (Display.Input) -> Void
  ) async throws(ClientError) -> Ending {
    var display = Display(
      tree: TreeSelector.name(tree), font: manner.font, accent: manner.accent, product: manner.product,
      client: daemon.connection.uniqueName, policy: policy)
    var size = Size(columns: 0, rows: 0)
    let drafts = DraftSaver(FlowCalls(daemon, tree: tree))
    for await piece in news {
      let input: Display.Input?
      switch piece {
      case .failed(let error): throw error
      case .input(let news): input = news
      case .terminal(let news): input = Self.input(news, &size)
      }
      let effects = input.map({ handle($0, &display) }) ?? []
      if let news = RendererLanguages.standard.speaking(display.language, { display.notification(at: .now) }) {
        terminal.notify(news)
      }
      for effect in effects {
        if case .leave(let exit, let lines) = effect {
          return Ending(exit: exit, lines: lines, end: display.end, unsent: display.unsent)
        }
        await carryOut(effect, drafts, answer: answer)
      }
      terminal.paint(RendererLanguages.standard.speaking(display.language) { display.draw(in: size, at: .now) })
    }
    return Ending(exit: .success)
  }

  private func handle(_ input: Display.Input, _ display: inout Display) -> [Display.Effect] {
    let new: LanguageTag? = if case .event(let event) = input { event.language } else { nil }
    return RendererLanguages.standard.speaking(new ?? display.language) { display.handle(input) }
  }

  private static func input(_ news: CursesTerminal.Input, _ size: inout Size) -> Display.Input? {
    switch news {
    case .key(let key): return .key(key)
    case .interrupted: return .interrupted
    case .beat: return .beat
    case .lost: return .terminalLost
    case .resized(let new):
      size = new
      return nil
    }
  }

  private func carryOut(
    _ effect: Display.Effect, _ drafts: DraftSaver, answer: @escaping @Sendable (Display.Input) -> Void
  ) async {
    let calls = FlowCalls(daemon, tree: tree)
    switch effect {
    case .delegate(let delegation):
      // Once the form is sent, its draft is obsolete. Saving it later would recreate it.
      await drafts.drop()
      Task { answer(await Self.input { () async throws(ClientError) in try await calls.delegate(delegation) }) }
    case .back(let screen):
      Task { answer(await Self.input { () async throws(ClientError) in try await calls.back(from: screen) }) }
    case .countOthers: Task { answer(.counted(others: await calls.otherRenderers())) }
    case .saveDraft(let screen, let values): await drafts.save(values, on: screen)
    case .startPhone: await phone.start { answer(.phone($0)) }
    case .leave: break
    }
  }

  private static func input(of call: () async throws(ClientError) -> UInt64) async -> Display.Input {
    do throws(ClientError) {
      return .accepted(revision: try await call())
    } catch {
      return .refused(error)
    }
  }
}

/// Saves drafts, one call at a time. Of the drafts that arrive during a call, only the last is saved next.
actor DraftSaver {
  private let calls: FlowCalls
  private var next: (values: [String: JSONValue], screen: UInt64)?
  private var isSaving = false

  init(_ calls: FlowCalls) { self.calls = calls }

  /// Saves the draft of a screen, now or after the current call. A failure is ignored; it only affects other renderers.
  func save(_ values: [String: JSONValue], on screen: UInt64) {
    next = (values, screen)
    guard !isSaving else { return }
    isSaving = true
    Task { await saveAll() }
  }

  /// Discards the draft that has not been saved yet.
  func drop() { next = nil }

  private func saveAll() async {
    while let draft = next {
      next = nil
      try? await calls.saveDraft(draft.values, on: draft.screen)
    }
    isSaving = false
  }
}
