package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.EntityRecord;

/** The shape of the tree of entities. */
public final class Hierarchy {
  /** Most levels: an entity together with its ancestors. */
  public static final int MAX_LEVELS = EntityRecord.MAX_ANCESTORS;

  private Hierarchy() {}
}
