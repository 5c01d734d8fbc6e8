package dev.millrace.aggregator.internal;

import java.util.LinkedHashMap;
import java.util.Map;

/** A bounded map that drops the least recently used entry. */
final class LruMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int max;

  LruMap(int max) {
    super(16, 0.75f, /* accessOrder= */ true);
    this.max = max;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > max;
  }
}
