package dev.millrace.dynamodb.admin.migration;

import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.dynamodb.admin.migration.MigrationReport.Pass;
import dev.millrace.dynamodb.internal.call.OldBucketStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Carries every bucket of schema versions 1 and 2 over into today's, while limiters go on. Limiters
 * carry over what they come in contact with; this does the rest, and cleans up.
 *
 * <p>The version record says where the table is. Before the first limiter of today's schema uses
 * it, {@link #prepare} says that there may be older buckets; in the end, once nothing of them is
 * left, not even a fence, {@link #run} with {@link MigrationOptions#cleaningUp} says that there are
 * none, and limiters look for them no more. That is written last.
 *
 * <p>Everything may be done again, by several at once, and killed at any moment: each bucket is
 * carried over in one transaction that is refused the second time.
 */
public final class Migration {
  /** The oldest schema that can be carried over. */
  public static final long OLDEST = 1;

  private final OldBucketStore store;
  private final String table;
  private final MigrationOptions options;

  private Migration(DynamoDbClient client, String table, MigrationOptions options) {
    UnitRate rate = new UnitRate(options.unitsPerSecond());
    this.store = new OldBucketStore(client, table, rate::spend);
    this.table = table;
    this.options = options;
  }

  /** The migration of {@code table}. Nothing is sent yet. */
  public static Migration of(DynamoDbClient client, String table, MigrationOptions options) {
    return new Migration(client, table, options);
  }

  /**
   * Says that the table may hold older buckets, so that limiters look for them. To be done before
   * the first of them uses the table.
   *
   * @throws SchemaMismatchException when the table is newer than this software
   */
  public void prepare() {
    SchemaRecord schema = schema();
    if (schema == null || schema.version() < SchemaRecord.SUPPORTED) {
      store.writeSchema(OLDEST);
    }
  }

  private @Nullable SchemaRecord schema() {
    SchemaRecord schema = (SchemaRecord) store.get(new RecordKey.Schema());
    if (schema != null && schema.version() > SchemaRecord.SUPPORTED) {
      throw new SchemaMismatchException(
          "the table is of a newer version than this software",
          Map.of("found", schema.version(), "supported", SchemaRecord.SUPPORTED),
          null);
    }
    return schema;
  }

  /**
   * Counts what there is. Writes nothing.
   *
   * @param progress receives the counts so far after every page, on the threads that read them; an
   *     exception ends the migration there, and it can be resumed
   */
  public MigrationReport dryRun(Consumer<MigrationReport> progress) {
    return pass(Pass.LOOK, progress);
  }

  /** Compares everything that was carried over with today's buckets. Writes nothing. */
  public MigrationReport verify(Consumer<MigrationReport> progress) {
    return pass(Pass.VERIFY, progress);
  }

  /**
   * Carries over what there is, verifies it and, if so configured, cleans up. On a table in which
   * nothing is left to do it writes nothing. It stops before it cleans up when something is wrong.
   *
   * @return a report of each pass that was made
   */
  public List<MigrationReport> run(Consumer<MigrationReport> progress) {
    List<MigrationReport> reports = new ArrayList<>();
    SchemaRecord schema = schema();
    boolean finished =
        schema != null && schema.version() == SchemaRecord.SUPPORTED && !schema.mayHoldOlder();
    if (finished) {
      MigrationReport look = dryRun(progress);
      reports.add(look);
      if (look.isClean()) {
        return reports;
      }
      store.writeSchema(OLDEST); // the record was wrong
    } else {
      prepare();
    }
    reports.add(pass(Pass.CARRY_OVER, progress));
    MigrationReport verified = verify(progress);
    reports.add(verified);
    if (!options.cleanUp() || !verified.isComplete() || verified.defectCount() > 0) {
      return reports;
    }
    MigrationReport cleaned = pass(Pass.CLEAN_UP, progress);
    reports.add(cleaned);
    if (cleaned.isComplete()) {
      store.writeSchema(SchemaRecord.SUPPORTED);
    }
    return reports;
  }

  private MigrationReport pass(Pass pass, Consumer<MigrationReport> progress) {
    return new TablePass(pass, store, table, options, progress).run();
  }
}
