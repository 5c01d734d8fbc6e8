package dev.millrace.dynamodb.expression;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The texts that were rendered, by shape. A process writes buckets of a few shapes over and over;
 * rendering is most of what a request costs before it reaches the SDK.
 */
final class UpdateTexts {
  /**
   * Most texts that are kept, of a few hundred bytes each. Past it everything is dropped and what
   * is still in use comes back at once: cheaper than to keep account of use on every write.
   */
  static final int MAX_TEXTS = 1_024;

  private final ConcurrentMap<UpdateShape, UpdateText> texts = new ConcurrentHashMap<>();

  UpdateText of(UpdateShape shape) {
    UpdateText known = texts.get(shape);
    if (known != null) {
      return known;
    }
    if (texts.size() >= MAX_TEXTS) {
      texts.clear();
    }
    UpdateText text = UpdateText.render(shape);
    texts.put(shape, text);
    return text;
  }

  int size() {
    return texts.size();
  }
}
