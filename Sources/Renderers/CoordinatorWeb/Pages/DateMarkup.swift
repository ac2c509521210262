import RendererKit

/// A date. The page's script shows it with the name of the month; without the script, it is in numbers.
struct DateMarkup {
  let date: LocalizedDate

  /// The markup.
  var html: HTML { tag("time", Attribute("datetime", date.internet)) { date.text } }
}
