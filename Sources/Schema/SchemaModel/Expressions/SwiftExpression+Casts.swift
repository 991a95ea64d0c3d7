/// Conversions to whole numbers that may not fit.
extension SwiftExpression {
  package enum Number: Hashable, Sendable {
    case fraction
    case integer(bits: Int, isSigned: Bool)

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

    fileprivate func fits(_ other: Number) -> Bool {
      guard case .integer(let bits, let isSigned) = self,
        case .integer(let room, let takesSigned) = other
      else { return false }
      return isSigned == takesSigned ? bits <= room : takesSigned && bits < room
    }
  }

  /// The first conversion in the expression that ends the process on unexpected numbers, with a safe replacement.
  ///
  /// - Parameter numbers: The expressions that are known to be numbers, such as `$0` and `$0.price`, with their types.
  package func cast(of numbers: [String: Number]) -> Cast? {
    let code = code
    let numbers = Self.adding(parametersOf: code, to: numbers)
    return call(in: code, numbers) ?? rounding(in: code, numbers) ?? reference(in: code, numbers)
      ?? division(in: code, numbers)
  }

  private static func adding(
    parametersOf code: String, to numbers: [String: Number]
  ) -> [String: Number] {
    var all = numbers
    for match in code.matches(of: /\{ *\(?(?<names>[\w:, ?]+?)\)? *(-> *\w+\??)? in\b/) {
      // The elements of a number's `description`, for example, are not numbers.
      let before = code[..<match.range.lowerBound]
      if let receiver = before.firstMatch(of: /(\$\d+(\??\.\w+)+)\??\.\w+\s*$/)?.1.replacing(
        "?", with: ""),
        !numbers.keys.contains(where: { $0 == receiver || $0.hasPrefix(receiver + ".") })
      {
        continue
      }
      for parameter in match.names.split(separator: ",") {
        let parts = parameter.split(separator: ":").map { $0.filter { $0 != " " && $0 != "?" } }
        guard let name = parts.first else { continue }
        if parts.count > 1 {
          all[name] = Number(parts[1])
          continue
        }
        for (key, number) in numbers {
          let own = key.replacing(/^\$\d+/, with: name)
          if all[own] != .fraction { all[own] = number }
        }
      }
    }
    return all
  }

  /// `lround($0)`, which returns an arbitrary number for values that do not fit.
  private func rounding(in code: String, _ numbers: [String: Number]) -> Cast? {
    for match in code.matches(of: /\bll?(round|rint)\(/) {
      let argument = Self.argument(code[match.range.upperBound...])
      guard let kind = Self.number(argument, numbers, .integer(bits: 64, isSigned: true)),
        !Self.isGuarded(argument, as: kind, after: code[..<match.range.lowerBound], in: code)
      else { continue }
      let call = match.output.0.prefix { $0 != "(" }
      let text = self.text(of: argument, in: code)
      return Cast(
        text: "\(call)(\(text))", safe: "Int(exactly: \(Self.rounded(text)))",
        isTrap: false, isMapped: Self.isMapped(code[..<match.range.lowerBound]))
    }
    return nil
  }

  private static func argument(_ rest: Substring) -> Substring {
    var depth = 1
    return rest.prefix { character in
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      return depth > 0
    }
  }

  /// Whether a closure of `map` returns the conversion. If the result becomes optional, `map` must become another call.
  private static func isMapped(_ before: Substring) -> Bool {
    before.contains(/\.map *\{ *([\w:,() ?>-]+ in )?(return )?$/)
  }

  /// `Int($0 * 100)`.
  private func call(in code: String, _ numbers: [String: Number]) -> Cast? {
    for match in code.matches(of: /(?<type>U?Int(8|16|32|64)?)(\.init)?\(/) {
      let before = code[..<match.range.lowerBound]
      if let last = before.last, last.isLetter || last.isNumber || "_.".contains(last) { continue }
      guard let target = Number(String(match.type)) else { continue }
      let whole = Self.argument(code[match.range.upperBound...])
      var argument = whole
      // An inner call that rounds returns a whole number.
      if let inner = whole.prefixMatch(of: /\s*ll?(round|rint)\(/) {
        argument = Self.argument(whole[inner.range.upperBound...])
        guard whole[argument.endIndex...].wholeMatch(of: /\)\s*/) != nil else { continue }
      } else if whole.contains(/\bll?(round|rint)\(/) {
        continue
      }
      guard let kind = Self.number(argument, numbers, target),
        !Self.isGuarded(argument, as: kind, after: before, in: code)
      else { continue }
      let text = self.text(of: argument, in: code)
      return Cast(
        text: "\(match.type)(\(self.text(of: whole, in: code)))",
        safe: "\(match.type)(exactly: \(kind == .fraction ? Self.rounded(text) : text))",
        isTrap: argument == whole || match.type != "Int",
        isMapped: Self.isMapped(before))
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

  /// An access to an array's element that may not exist: `$0.split(separator: " ")[1]`.
  package var element: Cast? {
    guard let match = code.firstMatch(of: /(?<list>[\w)\]])\[(?<place>\d+)\]/) else { return nil }
    let place = match.place
    return Cast(
      text: "[\(place)]", safe: place == "0" ? ".first" : ".dropFirst(\(place)).first")
  }

  /// The type of the argument's number, if some of its values do not fit the target.
  private static func number(
    _ argument: Substring, _ numbers: [String: Number], _ target: Number
  ) -> Number? {
    // An initialiser with a label, such as `exactly:`, handles values that do not fit. A condition before `?` is not a
    // number.
    guard argument.firstMatch(of: /^\s*\w+:/) == nil else { return nil }
    let values = argument.firstRange(of: " ? ").map { argument[$0.upperBound...] } ?? argument
    var found: [Number] = []
    for match in values.matches(of: /(\$\d+|\b[A-Za-z_]\w*)(\??\.\w+)*/) {
      var parts = match.output.0.replacing("?", with: "").split(separator: ".")
      while !parts.isEmpty {
        if let number = numbers[parts.joined(separator: ".")] {
          found.append(number)
          break
        }
        // The result of a member in `sameNumber` is the same type of number.
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

  /// Whether a condition before the argument, or limits around it, keep the value in range.
  private static func isGuarded(
    _ argument: Substring, as kind: Number, after before: Substring, in code: String
  ) -> Bool {
    if before.contains(" ? "), before.contains("$"),
      before.contains(/<|>|\.contains\(|~=|isFinite/)
    {
      return true
    }
    // Limits do not catch NaN.
    return argument.contains("min(") && argument.contains("max(")
      && (kind != .fraction || code.contains(/isFinite|isNaN/))
  }

  private static func rounded(_ text: String) -> String {
    if text.contains(/\.rounded\([^()]*\)\s*$/) { return text }
    return text.wholeMatch(of: /\$\d+(\.\w+)*/) == nil
      ? "(\(text)).rounded()" : "\(text).rounded()"
  }

  func text(of part: Substring, in code: String) -> String {
    let start = code.utf8.distance(from: code.startIndex, to: part.startIndex)
    let bytes = Array(text.utf8)[start..<(start + part.utf8.count)]
    return String(decoding: bytes, as: UTF8.self)
  }
}
