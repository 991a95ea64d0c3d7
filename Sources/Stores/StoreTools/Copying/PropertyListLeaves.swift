internal import Foundation
internal import ManagedModels
internal import StoreFormat

/// A binary property list whose leaves can be changed in place: lengths and offsets stay.
///
/// Keys of dictionaries and, in a keyed archive, names of classes stay. Bytes outside values become zero.
struct PropertyListLeaves {
  private typealias Object = PropertyListObjects.Object

  private let list: PropertyListObjects
  private var objects: [Object] = []

  init?(_ bytes: [UInt8]) {
    guard let list = PropertyListObjects(bytes) else { return nil }
    self.list = list
    for number in 0..<list.count {
      guard let object = list[number] else { return nil }
      switch object.kind {
      case .array, .dictionary:
        guard list.references(object).allSatisfy((0..<list.count).contains) else { return nil }
      case .ascii: guard bytes[object.content].allSatisfy({ $0 < 0x80 }) else { return nil }
      case .utf16: guard text(object) != nil else { return nil }
      case .date: guard object.content.count == 8 else { return nil }
      case .utf8: return nil
      case .constant, .integer, .real, .data, .reference: break
      }
      objects.append(object)
    }
    guard isDisjoint else { return nil }
  }

  /// Whether no byte belongs to two values, since changing it twice would break both.
  private var isDisjoint: Bool {
    var end = 8
    for object in objects.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard object.range.lowerBound >= end else { return false }
      end = object.range.upperBound
    }
    return true
  }

  private func text(_ object: Object) -> String? {
    switch object.kind {
    case .ascii: String(decoding: list.bytes[object.content], as: UTF8.self)
    case .utf16: String(wholeUTF16: list.units(object))
    default: nil
    }
  }

  private func references(_ number: Int) -> [Int] { list.references(objects[number]) }

  private func entries(_ number: Int) -> Zip2Sequence<[Int], [Int]> {
    let entries = list.entries(objects[number])
    return zip(entries.keys, entries.values)
  }

  // MARK: What stays

  /// Keys of the outermost dictionary whose values stay, with everything in them.
  var keptRoots: Set<String> = []

  var keptTexts: [String] { keptObjects().compactMap { text(objects[$0]) } }

  private func keptObjects() -> Set<Int> {
    var kept: Set<Int> = []
    for number in objects.indices {
      for (key, value) in entries(number) {
        kept.insert(key)
        switch text(objects[key]) {
        case "$classname", "$archiver", "$version", "$class": kept.insert(value)
        case "$classes": kept.formUnion(references(value))
        case "$objects":
          // The first object means nil: "$null".
          if let first = references(value).first { kept.insert(first) }
        default: break
        }
      }
    }
    for (key, value) in entries(list.root)
    where text(objects[key]).map(keptRoots.contains) == true {
      var waiting = [value]
      while let next = waiting.popLast() {
        if kept.insert(next).inserted { waiting += references(next) }
      }
    }
    return kept
  }

  // MARK: Changing

  func masked(_ mask: ValueMask) -> [UInt8] {
    var bytes = list.bytes
    let kept = keptObjects()
    for (index, object) in objects.enumerated() where !kept.contains(index) {
      let made = masked(object, mask)
      if made.count == object.content.count { bytes.replaceSubrange(object.content, with: made) }
    }
    var end = 8
    for object in objects.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      for place in end..<object.range.lowerBound { bytes[place] = 0 }
      end = object.range.upperBound
    }
    for place in end..<max(end, list.end) { bytes[place] = 0 }
    for place in bytes.count - 32..<bytes.count - 26 { bytes[place] = 0 }
    return bytes
  }

  private func masked(_ object: Object, _ mask: ValueMask) -> [UInt8] {
    let content = Array(list.bytes[object.content])
    // An integer beyond Int64 has 128 bits, of which the upper half is 0.
    let word = list.word(object)
    func written(_ word: UInt64) -> [UInt8] {
      content.indices.map { UInt8(word >> UInt64(8 * (content.count - 1 - $0)) & 0xFF) }
    }
    switch object.kind {
    case .constant, .reference, .array, .dictionary, .utf8: return content
    case .integer: return written(UInt64(bitPattern: mask.masked(Int64(bitPattern: word))))
    case .real where content.count == 4:
      let made = mask.masked(Double(Float(bitPattern: UInt32(word))))
      return written(UInt64(Float(made).bitPattern))
    case .real, .date: return written(mask.masked(Double(bitPattern: word)).bitPattern)
    case .data: return mask.masked(content)
    case .ascii, .utf16:
      guard let made = text(object).map(mask.masked) else { return content }
      return object.kind == .ascii
        ? Array(made.utf8) : made.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }
}
