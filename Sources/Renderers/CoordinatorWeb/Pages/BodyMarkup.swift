import CoordinatorKit
import Platform

/// The text of a screen, with its structure if it has one.
struct BodyMarkup: Sendable {
  let screen: Screen

  /// The markup.
  @HTMLBuilder var html: HTML {
    if let markup = screen.markup {
      for run in Self.runs(of: markup.blocks) { html(of: run) }
    } else {
      for paragraph in screen.body.bytes.split(separator: "\n\n") {
        tag("p", .class("body"), .ofFlow) { String(paragraph) }
      }
    }
  }

  /// Groups bullets that follow each other, because they are one list.
  private static func runs(of blocks: [Markup.Block]) -> [[Markup.Block]] {
    blocks.reduce(into: []) { runs, block in
      if block.kind == .bullet, runs.last?.last?.kind == .bullet {
        runs[runs.count - 1].append(block)
      } else {
        runs.append([block])
      }
    }
  }

  @HTMLBuilder private func html(of run: [Markup.Block]) -> HTML {
    switch run[0].kind {
    case .bullet:
      // The marks are where the lines of the page begin, whatever the direction of a text.
      tag("ul", .class("body bullets")) {
        for block in run { tag("li") { tag("span", .ofFlow) { spans(of: block) } } }
      }
    case .paragraph: tag("p", .class("body"), .ofFlow) { spans(of: run[0]) }
    case .verbatim:
      // The element can take the focus, so that the arrow keys scroll it.
      tag("pre", .class("verbatim"), Attribute("tabindex", "0"), .ofFlow) { spans(of: run[0]) }
    }
  }

  private func spans(of block: Markup.Block) -> HTML {
    group {
      for span in block.spans { html(of: span) }
    }
  }

  @HTMLBuilder private func html(of span: Markup.Span) -> HTML {
    if let link = span.link {
      // The initializer of a span drops every address that could do anything but open a page or a message. A page opens in a
      // separate tab, so that typed text is not lost.
      let isPage = !link.bytes.lowercased.bytes.hasPrefix("mailto:")
      tag(
        "a", Attribute("href", link), Attribute("rel", "noopener noreferrer"), Attribute("target", isPage ? "_blank" : nil)
      ) {
        styled(span)
        if isPage { tag("span", .class("aside")) { " " + Text("(opens in a new tab)").string } }
      }
    } else {
      styled(span)
    }
  }

  @HTMLBuilder private func styled(_ span: Markup.Span) -> HTML {
    switch span.style {
    case .strong: tag("strong") { span.text }
    case .code: tag("code") { span.text }
    case nil: span.text
    }
  }
}
