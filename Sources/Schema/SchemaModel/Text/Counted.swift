/// `1 model`, `3 models`: for nouns whose plural ends in s.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
