import Platform

/// The name that other people see of a browser: "Safari on iPhone", "Firefox on Linux".
///
/// It is made from the User-Agent field, which any client may invent: only known words become part of it.
enum BrowserName {
  /// Builds the name of a browser.
  ///
  /// - Parameter userAgent: value of the header field; nil if it is absent.
  /// - Returns: the name; nil if neither the browser nor the machine is known.
  static func name(userAgent: String?) -> String? {
    guard let userAgent else { return nil }
    let browser = browsers.first { userAgent.bytes.contains($0.sign) }?.name
    let machine = machines.first { userAgent.bytes.contains($0.sign) }?.name
    switch (browser, machine) {
    case (let browser?, let machine?): return "\(browser) on \(machine)"
    case (let name?, nil), (nil, let name?): return name
    case (nil, nil): return nil
    }
  }

  private typealias Sign = (sign: String, name: String)

  /// Browsers also name their predecessors in the field, so the newest sign takes precedence.
  private static let browsers: [Sign] = [
    ("SamsungBrowser/", "Samsung Internet"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("Edg/", "Edge"), ("OPR/", "Opera"),
    ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("w3m/", "w3m"), ("Lynx/", "Lynx"), ("Links ", "Links"),
  ]

  private static let machines: [Sign] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]
}
