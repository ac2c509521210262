import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The preview of the flow selected on the front door, or its purpose.
struct HomePreview: Sendable {
  private enum Content: Sendable {
    case screen(ScreenView)
    case flow(FlowListing)
    case words(String)
  }

  /// The previewed entry.
  let entry: HomeEntry
  private let language: LanguageTag?
  private var content: Content
  private var scroll = Scroll()

  init(of entry: HomeEntry, language: LanguageTag?) {
    self.entry = entry
    self.language = language
    content =
      switch entry {
      case .startable(let flow): .flow(flow)
      case .running(let flow):
        flow.top.map { .screen(ScreenView($0)) }
          ?? .words(flow.place ?? Text("What this flow shows is not known.").string)
      }
  }

  /// Draws the preview into an area, in the same way as the flow itself.
  mutating func draw(into frame: inout Frame, _ area: Area, _ drawing: Drawing) {
    var drawing = drawing
    drawing.size = area.size
    drawing.isActive = false
    var page: Page
    switch content {
    case .screen(var view):
      page = view.page(drawing)
      content = .screen(view)
    case .flow(let flow): page = self.page(of: flow, drawing)
    case .words(let text): page = Page(top: drawing.wrapped(text, .quiet))
    }
    page.focus = nil
    page.cursor = nil
    page.isMoving = false
    frame.draw(page, in: area, scroll: &scroll, symbols: drawing.symbols)
  }

  private func page(of flow: FlowListing, _ drawing: Drawing) -> Page {
    var page = Page(top: drawing.wrapped(flow.readableTitle(in: language).text.printable, .strong))
    page.append(drawing.wrapped(flow.summary(in: language).text.printable), spaced: true)
    let fields = flow.input?.fields ?? []
    if !fields.isEmpty {
      let lines = fields.flatMap { field -> [Line] in
        let title = FieldText.title(of: field).printable
        return drawing.wrapped(drawing.symbols.dot + " " + title)
      }
      page.append([Line(Text("Asks before it starts for:").string, .quiet)] + lines, spaced: true)
    }
    page.append(drawing.wrapped(flow.name.printable, .quiet), spaced: true)
    return page
  }
}
