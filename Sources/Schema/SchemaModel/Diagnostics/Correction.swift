/// The change to a manifest that a finding's help proposes, if it is unambiguous.
///
/// The rule that reports the finding provides it; `lint --fix` applies it.
package enum Correction: Hashable, Sendable {
  /// Replaces text, such as a misspelt name; the whole value if `over` is nil.
  case write(String, over: String? = nil)
  /// Removes the entry, the item or the comment at the finding's place.
  case removal
  /// Removes keys from the property that the finding is about.
  case removalOfKeys([String])
}
