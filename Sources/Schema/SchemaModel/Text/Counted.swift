/// `1 model`, `3 models`. The noun's plural must end in s.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
