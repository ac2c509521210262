import Platform

/// The titles that debconf itself gives to the configuration of a package.
enum DebconfTitle {
  /// debconf's "Configuring %s" in the languages of its version 1.5.82.
  private static let patterns = [
    "Configuring %s", "%s konfiguratzen", "%s konfigurálása", "%s tê mîhengkirin", "%s yapılandırılıyor",
    "%s कन्फिगर गर्दैछ", "%s संरचित होत आहे", "%s ਸੰਰਚਨਾ ਜਾਰੀ", "%s を設定しています", "%s 설정 중입니다", "%s:n asetusten säätö",
    "%sརིམ་སྒྲིག་འབད་དོ།", "A configurar %s", "Agordado de %s", "Bezig met configureren van %s",
    "Configuracion de %s", "Configuració del paquet «%s»", "Configuración de %s", "Configurando %s",
    "Configuration de %s", "Configurazione in corso di %s", "Isinasaayos ang %s", "Konfiguracja pakietu %s",
    "Konfigurerar %s", "Konfiguriere %s", "Nastavljanje %s", "Nastavovanie %s", "Nastavuje se %s", "Podešavam %s",
    "Se configurează %s", "Sedang mengonfigurasi %s", "Set opp %s", "Setter opp %s", "Sætter %s op",
    "Đang cấu hình %s", "Ρύθμιση του %s", "Налаштування %s", "Настраивается %s", "Настройване на %s", "מגדיר את %s",
    "تهيئة %s", "কনফিগার করা হচ্ছে %s", "กำลังตั้งค่า %s", "កំពុង\u{200B}កំណត់\u{200B}រចនា\u{200B}សម្ព័ន្ធ %s",
    "正在設定 %s", "正在设定 %s",
  ]

  /// Returns the package that a title names.
  ///
  /// - Parameter title: the title.
  /// - Returns: the package; nil if a package, not debconf, has set the title.
  static func package(in title: String) -> String? {
    let title = title.bytes.split(separator: " ").joined(separator: " ")
    for pattern in patterns {
      guard let (before, after) = pattern.bytes.cut(at: "%s"),
        let named = title.bytes.dropping(prefix: before)?.bytes.dropping(suffix: after)
      else { continue }
      // The name of a package of several architectures may include one: "libc6:amd64".
      let name = String(named.bytes.cut(at: ":")?.before ?? named)
      if isName(name) { return name }
    }
    return nil
  }

  /// Whether a text is the name of a Debian package.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count >= 2
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}
