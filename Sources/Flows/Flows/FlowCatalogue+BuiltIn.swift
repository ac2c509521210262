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
    try catalogue.add { HowToCode() }
    try catalogue.add { Pets() }
    try catalogue.add { ScheduleVisit() }
    try catalogue.add { Kanji(source: kanji) }
    try catalogue.add { KanjiList(source: kanji) }
    try catalogue.add { KanjiDetail(source: kanji) }
    try catalogue.add { Shop() }
    try catalogue.add { LogIn() }
    try catalogue.add { ShopMain(source: products) }
    try catalogue.add { ProductDetails(source: products) }
    try catalogue.add { Account(accounts: accounts) }
    try catalogue.add { Quotes(source: quotes) }
    return catalogue
  }
}
