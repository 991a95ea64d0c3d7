/// Whole numbers that are made of numbers which may not fit.
extension SwiftExpression {
  /// What a name of an expression holds.
  package enum Number: Hashable, Sendable {
    /// A number that may have a fraction, be infinite, or none.
    case fraction
    case integer(bits: Int, isSigned: Bool)

    /// Nil where the type is no number.
    package init?(_ type: String) {
      switch type {
      case "Double", "Float", "Float16", "CGFloat", "TimeInterval": self = .fraction
      case "Int": self = .integer(bits: 64, isSigned: true)
      case "UInt": self = .integer(bits: 64, isSigned: false)
      default:
        guard let match = type.wholeMatch(of: /(U?)Int(8|16|32|64)/), let bits = Int(match.2) else {
          return nil
        }
        self = .integer(bits: bits, isSigned: match.1.isEmpty)
      }
    }

    /// Whether each of its values is one of the other's.
    fileprivate func fits(_ other: Number) -> Bool {
      guard case .integer(let bits, let isSigned) = self,
        case .integer(let room, let takesSigned) = other
      else { return false }
      return isSigned == takesSigned ? bits <= room : takesSigned && bits < room
    }
  }

  /// What ends the process on a number that it was not written for, and the same without that.
  ///
  /// - Parameter numbers: What is known to hold one: `$0`, `$0.price`.
  package func cast(of numbers: [String: Number]) -> Cast? {
    let code = code
    return call(in: code, numbers) ?? reference(in: code, numbers) ?? division(in: code, numbers)
  }

  /// `Int($0 * 100)`.
  private func call(in code: String, _ numbers: [String: Number]) -> Cast? {
    for match in code.matches(
      of: /(?<type>U?Int(8|16|32|64)?)(\.init)?\((?<rest>.*)/.dotMatchesNewlines())
    {
      let before = code[..<match.range.lowerBound]
      if let last = before.last, last.isLetter || last.isNumber || "_.".contains(last) { continue }
      guard let target = Number(String(match.type)) else { continue }
      var depth = 1
      let argument = match.rest.prefix { character in
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        return depth > 0
      }
      guard let kind = Self.number(argument, numbers, target),
        !Self.isGuarded(argument, as: kind, after: before, in: code)
      else { continue }
      let text = self.text(of: argument, in: code)
      return Cast(
        text: "\(match.type)(\(text))",
        safe: "\(match.type)(exactly: \(kind == .fraction ? Self.rounded(text) : text))")
    }
    return nil
  }

  /// `$0.map(Int.init)`.
  private func reference(in code: String, _ numbers: [String: Number]) -> Cast? {
    let pattern =
      /(?<operand>\$\d+(\??\.\w+)*?)\??\.(?<map>(compactM|flatM|m)ap)\((?<type>U?Int(8|16|32|64)?)(\.init)?\)/
    for match in code.matches(of: pattern) {
      let operand = String(match.operand.replacing("?", with: ""))
      guard let number = numbers[operand], let target = Number(String(match.type)),
        !number.fits(target)
      else { continue }
      return Cast(
        text: "\(match.map)(\(match.type).init)",
        safe: "flatMap { \(match.type)(exactly: \(number == .fraction ? "$0.rounded()" : "$0")) }")
    }
    return nil
  }

  /// `$0 / $1` of whole numbers.
  private func division(in code: String, _ numbers: [String: Number]) -> Cast? {
    for match in code.matches(of: /(?<sign>[\/%]) *(?<operand>\$\d+(\.\w+)*)/) {
      let operand = String(match.operand)
      let isHeld = code.contains(" ? ") && code[..<match.range.lowerBound].contains("\(operand) ")
      guard case .integer? = numbers[operand], !isHeld else { continue }
      return Cast(
        text: "\(match.sign) \(operand)", safe: "\(operand) == 0 ? nil : … \(match.sign) \(operand)"
      )
    }
    return nil
  }

  /// An element that a list may not have: `$0.split(separator: " ")[1]`.
  package var element: Cast? {
    guard let match = code.firstMatch(of: /(?<list>[\w)\]])\[(?<place>\d+)\]/) else { return nil }
    let place = match.place
    return Cast(
      text: "[\(place)]", safe: place == "0" ? ".first" : ".dropFirst(\(place)).first")
  }

  /// What the argument is, where some of its values are none of the target's.
  private static func number(
    _ argument: Substring, _ numbers: [String: Number], _ target: Number
  ) -> Number? {
    // A label says what becomes of such values, and a condition is no value.
    guard argument.firstMatch(of: /^\s*\w+:/) == nil else { return nil }
    let values = argument.firstRange(of: " ? ").map { argument[$0.upperBound...] } ?? argument
    var found: [Number] = []
    for match in values.matches(of: /\$\d+(\??\.\w+)*/) {
      var parts = match.output.0.replacing("?", with: "").split(separator: ".")
      while !parts.isEmpty {
        if let number = numbers[parts.joined(separator: ".")] {
          found.append(number)
          break
        }
        // What is no more than the same number.
        guard let last = parts.popLast(), Self.sameNumber.contains(String(last)) else { break }
      }
    }
    let isReckoned = values.contains("$") && values.contains(Self.fractionWords)
    if isReckoned || found.contains(.fraction) { return .fraction }
    return found.first { !$0.fits(target) }
  }

  private static let sameNumber: Set<String> = [
    "rounded", "magnitude", "squareRoot", "truncatingRemainder", "remainder", "reduce", "map",
    "flatMap", "first", "last", "min", "max",
  ]
  private nonisolated(unsafe) static let fractionWords =
    /\b(Double|Float|CGFloat|TimeInterval|pow|sqrt)\(|\.doubleValue|\.floatValue|\.timeInterval/

  /// Whether something holds the value within what fits: a condition in front of it, or limits around it.
  private static func isGuarded(
    _ argument: Substring, as kind: Number, after before: Substring, in code: String
  ) -> Bool {
    if before.contains(" ? "), before.contains("$"),
      before.contains(/<|>|\.contains\(|~=|isFinite/)
    {
      return true
    }
    // Limits do not hold what is no number.
    return argument.contains("min(") && argument.contains("max(")
      && (kind != .fraction || code.contains(/isFinite|isNaN/))
  }

  private static func rounded(_ text: String) -> String {
    if text.contains(/\.rounded\([^()]*\)\s*$/) { return text }
    return text.wholeMatch(of: /\$\d+(\.\w+)*/) == nil
      ? "(\(text)).rounded()" : "\(text).rounded()"
  }

  /// The expression's own text, where the code has spaces in place of what texts say.
  private func text(of part: Substring, in code: String) -> String {
    let start = code.utf8.distance(from: code.startIndex, to: part.startIndex)
    let bytes = Array(text.utf8)[start..<(start + part.utf8.count)]
    return String(decoding: bytes, as: UTF8.self)
  }
}
