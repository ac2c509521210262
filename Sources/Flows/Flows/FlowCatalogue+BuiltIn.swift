import Accounts
import CoordinatorKit

extension FlowCatalogue {
  /// The flows that come with coordinatord, each handed what it works with.
  ///
  /// - Parameters:
  ///   - accounts: who checks passwords, for `account`.
  ///   - kanji: the dictionary, for `kanji`, `kanji-list` and `kanji-detail`.
  ///   - products: what the shop sells, for `shop`, `shop-main` and `product-details`.
  ///   - quotes: what there is to read, for `quotes`.
  /// - Returns: the flows; others can be added.
  /// - Throws: ``FlowCatalogueError`` if two of them have the same name.
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
