package dev.millrace.dynamodb.admin.migration;

import dev.millrace.core.spi.directory.ItemAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counts of what a pass found and did.
 *
 * @param expected items of the table, as DynamoDB last counted them; it counts every six hours
 * @param examined items of the table that were read
 * @param perLimit buckets of version 1 that were not carried over when they were met
 * @param composite buckets of version 2, likewise
 * @param carriedOver buckets that had been carried over before
 * @param moved buckets that were carried over now
 * @param merged of old buckets, brought into one that had been made without it
 * @param folded buckets that were charged what old clients consumed afterwards
 * @param deleted buckets whose old items were taken away
 * @param contended buckets that other writers changed each time; another run finds them
 * @param verified buckets that were compared with today's and are right
 * @param consumedMilli sum of the counters that were met or carried over
 * @param tokensMilli sum of the balances, likewise
 * @param corruptCount old items with invalid content
 * @param corrupt the first of them with their problems, at most {@link #MAX_LISTED}
 * @param defectCount buckets that are not what was carried over
 * @param defects the first of them
 */
public record MigrationReport(
    Pass pass,
    long expected,
    long examined,
    long perLimit,
    long composite,
    long carriedOver,
    long moved,
    long merged,
    long folded,
    long deleted,
    long contended,
    long verified,
    long consumedMilli,
    long tokensMilli,
    long corruptCount,
    Map<ItemAddress, String> corrupt,
    long defectCount,
    Map<ItemAddress, String> defects) {
  /** Most items that are listed. */
  public static final int MAX_LISTED = 100;

  /** One way through the whole table. */
  public enum Pass {
    /** Reads what there is. */
    LOOK,
    /** Carries over. */
    CARRY_OVER,
    /** Compares what was carried over with today's buckets. */
    VERIFY,
    /** Takes the old items away. */
    CLEAN_UP
  }

  public MigrationReport {
    corrupt = Collections.unmodifiableMap(new LinkedHashMap<>(corrupt));
    defects = Collections.unmodifiableMap(new LinkedHashMap<>(defects));
  }

  /** The number of transactions that were made. */
  public long changed() {
    return moved + merged + folded + deleted;
  }

  /** Whether there is nothing of an older schema that is yet to be carried over. */
  public boolean isComplete() {
    return perLimit + composite == moved + merged && contended == 0 && corruptCount == 0;
  }

  /** Whether there is nothing of an older schema at all, fenced or not. */
  public boolean isClean() {
    return isComplete() && carriedOver + moved + merged == 0;
  }
}
