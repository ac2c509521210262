import Accounts
import CoordinatorKit

extension FlowCatalogue {
  /// Returns a catalogue of the flows that ship with coordinatord, with their data sources.
  ///
  /// - Parameters:
  ///   - accounts: the account manager for `account`.
  ///   - kanji: the dictionary for `kanji`, `kanji-list` and `kanji-detail`.
  ///   - products: the products for `shop`, `shop-main` and `product-details`.
  ///   - quotes: the quotes for `quotes`.
  /// - Returns: the catalogue, to which other flows can be added.
  /// - Throws: ``FlowCatalogueError`` if two of the flows have the same name.
  public static func builtIn(
    accounts: any AccountManager = CryptAccountManager(),
    kanji: DataSource<KanjiDictionary> = KanjiDictionary.bundled,
    products: DataSource<ProductCatalogue> = ProductCatalogue.bundled,
    quotes: DataSource<QuoteCollection> = QuoteCollection.bundled
  ) throws(FlowCatalogueError) -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.addTested { HowToCode() }
    try catalogue.addTested { Pets() }
    try catalogue.addTested { ScheduleVisit() }
    try catalogue.addTested { Kanji(source: kanji) }
    try catalogue.addTested { KanjiList(source: kanji) }
    try catalogue.addTested { KanjiDetail(source: kanji) }
    try catalogue.addTested { Shop() }
    try catalogue.addTested { LogIn() }
    try catalogue.addTested { ShopMain(source: products) }
    try catalogue.addTested { ProductDetails(source: products) }
    try catalogue.addTested { Account(accounts: accounts) }
    try catalogue.addTested { Quotes(source: quotes) }
    return catalogue
  }
}
