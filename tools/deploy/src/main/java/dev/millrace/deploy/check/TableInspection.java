package dev.millrace.deploy.check;

import dev.millrace.MillraceException;
import dev.millrace.SchemaMismatchException;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * A search for everything that may be wrong with a table. It changes nothing. A question that
 * cannot be asked is itself a fault, and the others are asked all the same.
 */
public final class TableInspection {
  /** The fault that no question could be asked. */
  public static final String UNREACHABLE = "unreachable";

  /** Most pages of namespaces or jobs that are read. */
  private static final int MAX_PAGES = 1_000;

  private static final String DEFAULT_NAMESPACE = "default";
  private static final String TABLE_ITSELF = "_";
  private static final String ACTOR = "check";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Clock clock;
  private final TableFaults faults = new TableFaults();

  /** Of {@code table}; the clock is the one that is compared with DynamoDB's. */
  public TableInspection(DynamoDbClient dynamo, String table, Clock clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.clock = clock;
  }

  /**
   * All faults that are found.
   *
   * @param quick leaves out orphans, for which the whole table is read
   */
  public List<TableFault> inspect(boolean quick, ProgressListener progress) {
    if (!ask("describing the table", this::describe)) {
      return faults.all();
    }
    ask("reading the version", () -> faults.version((SchemaRecord) record(new RecordKey.Schema())));
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, table), AdminOptions.of(ACTOR))) {
      ask("listing the namespaces", () -> namespaces(admin));
      if (!quick) {
        ask("reading the whole table", () -> faults.orphans(admin.namespaces().orphans(progress)));
      }
    }
    return faults.all();
  }

  /** Asks a question; whether there was an answer. */
  private boolean ask(String what, Runnable question) {
    try {
      question.run();
      return true;
    } catch (ResourceNotFoundException e) {
      faults.error(
          "missing-table",
          "there is no table " + table,
          "nobody can acquire",
          "name another with --table or --region, or run 'millrace deploy'");
    } catch (SdkClientException e) {
      faults.error(
          UNREACHABLE,
          "DynamoDB cannot be reached: " + e.getMessage(),
          "limiters answer as they are told to without it: they block, or admit without a charge",
          "check region, endpoint, credentials and the network");
    } catch (SchemaMismatchException e) {
      // the version is a fault already
    } catch (DynamoDbException | MillraceException e) {
      faults.error(
          "refused",
          what + " failed: " + e.getMessage(),
          "what would be found that way is not known",
          "give this role the policy 'read' of the stack, and check again");
    }
    return false;
  }

  private void describe() {
    Instant before = clock.instant();
    DescribeTableResponse described = dynamo.describeTable(d -> d.tableName(table));
    Instant middle = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
    described
        .sdkHttpResponse()
        .firstMatchingHeader("Date")
        .ifPresent(
            date -> {
              try {
                faults.clock(
                    middle, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
              } catch (DateTimeParseException e) {
                // a server without a clock
              }
            });
    faults.table(
        described.table(),
        dynamo.describeTimeToLive(d -> d.tableName(table)).timeToLiveDescription());
  }

  private void namespaces(Admin admin) {
    Instant now = clock.instant();
    faults.locks(
        TABLE_ITSELF, pages(c -> admin.namespaces().jobs().unfinished(Page.MAX_SIZE, c)), now);
    Set<String> active = new LinkedHashSet<>(Set.of(DEFAULT_NAMESPACE));
    for (NamespaceView namespace : pages(c -> admin.namespaces().list(Page.MAX_SIZE, c))) {
      if (record(new RecordKey.NamespaceById(namespace.id())) == null) {
        faults.error(
            "half-namespace",
            "the namespace %s has the id %s, which does not know it"
                .formatted(namespace.name(), namespace.id()),
            "its items look like an orphan's and could be purged",
            "restore the record of the id from a backup, or register the namespace anew");
      }
      if (namespace.state() == NamespaceRecord.State.ACTIVE) {
        active.add(namespace.name());
      } else {
        active.remove(namespace.name());
      }
    }
    for (String name : active) {
      faults.locks(name, pages(c -> admin.in(name).jobs().unfinished(Page.MAX_SIZE, c)), now);
    }
  }

  private static <T> List<T> pages(Function<@Nullable String, Page<T>> read) {
    List<T> all = new ArrayList<>();
    String cursor = null;
    for (int i = 0; i < MAX_PAGES; i++) {
      Page<T> page = read.apply(cursor);
      all.addAll(page.items());
      cursor = page.cursor();
      if (cursor == null) {
        break;
      }
    }
    return all;
  }

  private @Nullable StoredRecord record(RecordKey key) {
    GetItemResponse found =
        dynamo.getItem(r -> r.tableName(table).key(RecordCodec.key(key)).consistentRead(true));
    return found.hasItem() ? RecordCodec.decode(key, found.item()) : null;
  }
}
