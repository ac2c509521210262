import CoordinatorClient
import CoordinatorKit
import RendererKit

/// The page of a flow that has ended.
struct EndPage: Sendable {
  let links: Links
  let tree: String
  let end: FlowEnd
  /// The token of the form that starts the flow again; nil if the page does not offer that.
  var again: FormToken?

  /// The page.
  var html: HTML {
    Shell(links: links, title: title.string).page(
      Attribute("data-here", links.tree(tree)), Attribute("data-tree", links.tree(tree))
    ) {
      tag("section", .class("card end \(end.name)"), Attribute("aria-labelledby", "title")) {
        tag("h1", .id("title"), Attribute("tabindex", "-1")) { title }
        tag("p", .class("body"), Attribute("dir", "auto")) { explanation }
        result
        onwards
      }
    }
  }

  /// The links to follow next. A server for one flow offers only another run of it.
  @HTMLBuilder private var onwards: HTML {
    if let again {
      tag("form", .id("again"), Attribute("method", "post"), Attribute("action", links.again(after: tree))) {
        again.hidden()
        tag("div", .class("actions")) { tag("button", .class("primary")) { Text("Start again") } }
      }
    } else if !links.isForOneFlow {
      tag("p", .class("links")) { tag("a", Attribute("href", links.home)) { links.homeTitle } }
    }
  }

  private var title: Text {
    switch end {
    case .finished: "Done"
    case .cancelled: "Cancelled"
    case .stopped: "Stopped"
    case .failed: "It could not continue"
    case .lost: "This flow is gone"
    }
  }

  private var explanation: Text {
    switch end {
    case .finished: "The flow has finished."
    case .cancelled: "The flow was left before it finished."
    case .stopped: "coordinatord was stopped, and the flow has ended with it."
    case .failed(let code, let message):
      message.isEmpty ? Text("The flow has failed ({code}).", ["code": code]) : Text(verbatim: message)
    case .lost: "It is not running, and its outcome is no longer known."
    }
  }

  @HTMLBuilder private var result: HTML {
    if case .finished(let result) = end, !result.isEmpty {
      tag("dl", .class("result")) {
        for (key, value) in result.sorted(by: { $0.key < $1.key }) {
          tag("div") {
            tag("dt", .ofFlow(in: nil)) { key }
            tag("dd", .ofFlow(in: nil)) { value.plainText }
          }
        }
      }
    }
  }
}
