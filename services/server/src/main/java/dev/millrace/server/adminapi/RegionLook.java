package dev.millrace.server.adminapi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who has read what other regions published. */
@FunctionalInterface
public interface RegionLook {
  /** For servers that do not know where regions publish. */
  RegionLook NONE = namespace -> null;

  /**
   * How all stands, with the fields of {@link dev.millrace.regions.sync.CycleReport}; null when it
   * is not known.
   */
  @Nullable Map<String, @Nullable Object> at(String namespace);
}
