/// Finds code that is nested too deeply to be handwritten.
///
/// The parser reads chains and branches in a loop, but the tree is as deep as they are long. Nested brackets are
/// limited by the parser, which gets slower with each level.
package enum NestingCheck {
  private static let longest = 10_000
  private static let deepestCondition = 200
  private static let deepestBrackets = 500
  private static let deepestGenerics = 100

  /// Why the file is not parsed, as a clause whose subject is the file; nil for nearly all files.
  package static func obstacle(in bytes: [UInt8]) -> String? {
    bytes.withUnsafeBufferPointer { bytes in
      var dots = 0
      var signs = 0
      var branches = 0
      var conditions = 0
      var brackets = 0
      var generics = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "."):
          dots += 1
          if dots > longest { return "has a chain of more than \(longest) members" }
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "-"), UInt8(ascii: "~"),
          UInt8(ascii: "&"), UInt8(ascii: "*"):
          signs += 1
          if signs > longest { return "has more than \(longest) operators in a row" }
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
          dots = byte == UInt8(ascii: "{") ? 0 : dots
          brackets += 1
          if brackets > deepestBrackets { return "nests more than \(deepestBrackets) deep" }
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
          brackets = max(0, brackets - 1)
        case UInt8(ascii: "<") where index > 1 && isName(bytes[index - 2]):
          generics += 1
          if generics > deepestGenerics {
            return "nests generic types more than \(deepestGenerics) deep"
          }
        case UInt8(ascii: ">"): generics = max(0, generics - 1)
        case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="):
          dots = 0
          signs = 0
        case UInt8(ascii: " ") where index < bytes.count && bytes[index] != UInt8(ascii: "."):
          dots = 0
        case UInt8(ascii: "e") where matches("lse if", bytes, index):
          branches += 1
          if branches > longest { return "has more than \(longest) branches" }
        case UInt8(ascii: "#"):
          if matches("if ", bytes, index) { conditions += 1 }
          if matches("endif", bytes, index) { conditions = max(0, conditions - 1) }
          if conditions > deepestCondition {
            return "nests '#if' more than \(deepestCondition) deep"
          }
        case UInt8(ascii: "\n"):
          // A line that begins with a dot continues the chain.
          var next = index
          while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
          if next >= bytes.count || bytes[next] != UInt8(ascii: ".") { dots = 0 }
          signs = 0
          generics = 0
          // Brackets in strings and comments were counted, too. A name at the beginning of a line is in no bracket,
          // string or comment.
          if index < bytes.count, isName(bytes[index]) { brackets = 0 }
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): signs = 0
        default: break
        }
      }
      return nil
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
  }

  private static func matches(
    _ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> Bool {
    guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount
    where bytes[index + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }
}
