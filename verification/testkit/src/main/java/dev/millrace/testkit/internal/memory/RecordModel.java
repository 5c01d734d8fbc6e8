package dev.millrace.testkit.internal.memory;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a {@link RecordChange} on a record, as two pure functions.
 *
 * <p>The children of an entity are counted by the store alone: a new entity has none, whatever its
 * record says, and an update leaves their number as it is. Counting them does not change the
 * entity's version: nothing that is resolved depends on it.
 */
public final class RecordModel {
  private RecordModel() {}

  /** Whether the condition of {@code change} holds for a record that is {@code current}. */
  public static boolean accepts(@Nullable StoredRecord current, RecordChange change) {
    if (change instanceof RecordChange.Put put) {
      return put.expectedVersion() == RecordChange.Put.ABSENT
          ? current == null
          : isVersion(current, put.expectedVersion());
    }
    if (change instanceof RecordChange.Delete delete) {
      return isVersion(current, delete.expectedVersion())
          && !(current instanceof EntityRecord entity && entity.children() > 0);
    }
    if (change instanceof RecordChange.AddChildren counted) {
      boolean anyVersion = counted.expectedVersion() == RecordChange.AddChildren.ANY;
      return current instanceof EntityRecord entity
          && (anyVersion || isVersion(current, counted.expectedVersion()))
          && SaturatedMath.add(entity.children(), counted.delta()) >= 0;
    }
    return isVersion(current, ((RecordChange.Check) change).expectedVersion());
  }

  /** The record after a change that it accepts, null when it is gone. */
  public static @Nullable StoredRecord after(@Nullable StoredRecord current, RecordChange change) {
    if (change instanceof RecordChange.Put put) {
      long children = current instanceof EntityRecord stored ? stored.children() : 0;
      return put.record() instanceof EntityRecord entity
          ? withChildren(entity, children)
          : put.record();
    }
    if (change instanceof RecordChange.Delete) {
      return null;
    }
    return change instanceof RecordChange.AddChildren counted
            && current instanceof EntityRecord entity
        ? withChildren(entity, SaturatedMath.add(entity.children(), counted.delta()))
        : current;
  }

  private static boolean isVersion(@Nullable StoredRecord current, long expected) {
    return current != null && current.version() == expected;
  }

  private static EntityRecord withChildren(EntityRecord entity, long children) {
    return new EntityRecord(
        entity.key(),
        entity.version(),
        entity.name(),
        entity.parentId(),
        entity.ancestorsHint(),
        entity.cascade(),
        entity.disabled(),
        entity.metadata(),
        entity.createdAtMs(),
        children);
  }
}
