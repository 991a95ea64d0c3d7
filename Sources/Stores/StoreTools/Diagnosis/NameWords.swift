/// The words that names of properties are made of, by which a name in capitals is read again: `CREATEDAT` as `createdAt`.
struct NameWords: Sendable {
  /// In small letters.
  private var words: Set<String> = Self.frequent
  private var longest = Self.longestFrequent

  init() {}

  /// - Parameter names: Names in Swift's spelling, whose words are added.
  init(names: Set<String>) {
    for name in names {
      for word in Self.words(of: name) where word.count > 2 { words.insert(word) }
    }
    longest = words.reduce(0) { max($0, $1.utf8.count) }
  }

  /// `storeApp` and `URLString` as small words.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word: [Character] = []
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      let endsAcronym =
        letter.isUppercase && index + 1 < letters.count && letters[index + 1].isLowercase
      let begins =
        letter.isUppercase && (index == 0 || !letters[index - 1].isUppercase || endsAcronym)
      if begins || !letter.isLetter, !word.isEmpty {
        words.append(String(word).lowercased())
        word = []
      }
      if letter.isLetter { word.append(letter) }
    }
    if !word.isEmpty { words.append(String(word).lowercased()) }
    return words
  }

  // MARK: Spelling

  private static let mostLetters = 60
  private static let mostSpellings = 40

  /// Spellings by words, the fewest words first, with how far each is guessed: 0 where all words are known, 1 where one
  /// is not.
  func spellings(of letters: String) -> [(name: String, rank: Int)] {
    let letters = Array(letters.utf8)
    guard letters.count <= Self.mostLetters else { return [] }
    var found: [(name: String, rank: Int)] = []
    for rank in [0, 1] {
      for parts in divisions(of: letters, unknown: rank).prefix(Self.mostSpellings) {
        found += Self.spellings(parts).map { (name: $0, rank: rank) }
      }
    }
    return found
  }

  /// Ways to divide letters into known words, and so many unknown ones; the fewest words first, then by the words.
  private func divisions(of letters: [UInt8], unknown: Int) -> [[String]] {
    // By where the rest begins and how many unknown words are left: each is worked out once.
    var known: [Int: [[String]]] = [:]
    func rest(_ start: Int, _ unknown: Int) -> [[String]] {
      if start == letters.count { return unknown == 0 ? [[]] : [] }
      if let found = known[start * 2 + unknown] { return found }
      var found: [[String]] = []
      for end in (start + 1)...letters.count {
        let word = String(decoding: letters[start..<end], as: UTF8.self)
        let isKnown = end - start <= longest && words.contains(word)
        if isKnown { found += rest(end, unknown).map { [word] + $0 } }
        if !isKnown, unknown > 0, end - start > 2 {
          found += rest(end, unknown - 1).map { [word] + $0 }
        }
      }
      found.sort { ($0.count, $0.joined(separator: " ")) < ($1.count, $1.joined(separator: " ")) }
      found = Array(found.prefix(Self.mostSpellings))
      known[start * 2 + unknown] = found
      return found
    }
    return rest(0, unknown)
  }

  /// Words as one name: acronyms in capitals, and as other words.
  private static func spellings(_ words: [String]) -> [String] {
    var names = [""]
    for (index, word) in words.enumerated() {
      var forms = [index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()]
      if acronyms.contains(word) { forms.append(word.uppercased()) }
      names = names.flatMap { name in forms.map { name + $0 } }
    }
    return names
  }

  // MARK: Relationships

  /// What a model may call its rows of another: `logs` and `habitLogs` for what a Habit has of HabitLogModel.
  static func relationshipNames(to destination: String) -> [String] {
    let words = words(of: destination)
    guard !words.isEmpty, words.count <= 6 else { return [] }
    var names: [String] = []
    for start in words.indices {
      for end in start..<words.count {
        let part = Array(words[start...end])
        let singular = camelCase(part)
        names += [plural(singular), singular]
      }
    }
    return names + ["children", "items", "entries", "parent", "owner"]
  }

  private static func camelCase(_ words: [String]) -> String {
    words.enumerated().map { index, word in
      index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// As English has it most often.
  static func plural(_ word: String) -> String {
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + (["s", "x", "ch", "sh"].contains(where: word.hasSuffix) ? "es" : "s")
  }

  // MARK: Words

  private static let acronyms: Set<String> = [
    "id", "url", "uri", "uuid", "json", "html", "xml", "csv", "pdf", "api", "ui", "os", "ip", "gps",
    "iso", "utc", "sku", "isbn", "db", "hr", "bmi", "ascii", "md", "png", "rgb", "vat", "dna",
    "iap",
  ]

  private static let longestFrequent = frequent.reduce(0) { max($0, $1.utf8.count) }

  /// Words that names of properties have often, beside those of the manifests.
  private static let frequent: Set<String> = acronyms.union(
    """
    account action active actual added address after age alarm album all amount and any app archived artist asset at
    attempt author auto available avatar average balance bank base before begin best body book bookmark bottom budget
    build by cached calendar calories cancelled card category center change changed changes channel chapter check checked
    child city class client cloud code color colour comment company completed completion config confidence content
    contents context cost count counter country cover created creation currency current custom daily data date day days
    deadline default deleted deletion delta description detail details device difficulty direction disabled display
    distance done down due duration edit edited email enabled end ended energy entries entry error event exercise
    exists expanded expiration expires external factor failed favorite favourite fetched field file finish finished first
    flag folder font for format frequency friend from full game genre goal group has hash height hidden history hour
    icon identifier identity image in index info initial input instructions interval is item items key keyword kind
    label language last latest latitude length level library like link list local locale location locked log logo
    longitude map max maximum measurement media member memo message metadata min minimum minute minutes mode model
    modified month mood name needs new next nick note notes notification number observed of off offset on online only
    open option options order origin original output owner page paid parent part password path paused payload percent
    period person phone photo pin pinned place plan platform player points policy position preferred previous price
    priority private product profile progress project provider public published purchase quantity query question
    rank rate rating raw read reading reason recent recipe record reference refresh region release reminder remote
    repeat required result reviews role row rule sample schedule scheduled score search second seconds section seen
    selected sent sequence serial server session set setting settings share shared shipping short show size snapshot
    sort source speed stage star start started state status step stock storage store stored street string style sub
    subject submission subtitle subtotal success summary sync synced system tag tags target task tax team template text
    theme thumbnail time times timestamp timezone title to token top total track tracked transaction trip type unit up
    update updated upload use used user uses value values vendor version video view viewed visible visit volume was
    watched week weekday weight width with word workout year zip zone
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
