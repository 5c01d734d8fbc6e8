package dev.millrace.deploy.check;

import dev.millrace.MillraceException;
import dev.millrace.SchemaMismatchException;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.JobView;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Looks at a table for everything that may be wrong with it. It changes nothing. What cannot be
 * asked is itself a finding, and the rest is asked all the same.
 */
public final class TableInspection {
  /** The finding that says that nothing else could be found. */
  public static final String UNREACHABLE = "unreachable";

  /** Most pages of namespaces or jobs that are read. */
  private static final int MAX_PAGES = 1_000;

  private static final String DEFAULT_NAMESPACE = "default";
  private static final String TABLE_ITSELF = "_";
  private static final String ACTOR = "check";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Clock clock;

  /** Of {@code table}; the clock is the one that is compared with DynamoDB's. */
  public TableInspection(DynamoDbClient dynamo, String table, Clock clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.clock = clock;
  }

  /**
   * Everything that is found.
   *
   * @param quick leaves out what reads the whole table: orphans
   */
  public List<Finding> inspect(boolean quick, ProgressListener progress) {
    List<Finding> findings = new ArrayList<>();
    DescribeTableResponse described;
    Instant before = clock.instant();
    try {
      described = dynamo.describeTable(d -> d.tableName(table));
      theirTime(described)
          .flatMap(theirs -> StateFindings.clock(middle(before, clock.instant()), theirs))
          .ifPresent(findings::add);
      findings.addAll(
          TableFindings.of(
              described.table(),
              dynamo.describeTimeToLive(d -> d.tableName(table)).timeToLiveDescription()));
    } catch (ResourceNotFoundException e) {
      findings.add(
          Finding.error(
              "missing-table",
              "there is no table " + table,
              "nobody can acquire",
              "name another with --table or --region, or run 'millrace deploy'"));
      return findings;
    } catch (SdkClientException e) {
      findings.add(unreachable(e));
      return findings;
    } catch (DynamoDbException e) {
      findings.add(refused("describing the table", e));
      return findings;
    }
    ask(findings, "reading the version", () -> StateFindings.version(schema()).stream().toList());
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, table), AdminOptions.of(ACTOR))) {
      ask(findings, "listing the namespaces", () -> namespaces(admin));
      if (!quick) {
        ask(
            findings,
            "reading the whole table",
            () -> StateFindings.orphans(admin.namespaces().orphans(progress)));
      }
    }
    return findings;
  }

  /** What can be asked on its own. */
  private interface Question {
    List<Finding> ask();
  }

  private static void ask(List<Finding> findings, String what, Question question) {
    try {
      findings.addAll(question.ask());
    } catch (SdkClientException e) {
      findings.add(unreachable(e));
    } catch (SchemaMismatchException e) { // of which the version tells already
      return;
    } catch (DynamoDbException | MillraceException e) {
      findings.add(refused(what, e));
    }
  }

  private List<Finding> namespaces(Admin admin) {
    List<Finding> findings = new ArrayList<>();
    Instant now = clock.instant();
    findings.addAll(
        StateFindings.locks(
            TABLE_ITSELF, pages(c -> admin.namespaces().jobs().unfinished(Page.MAX_SIZE, c)), now));
    List<NamespaceView> registered =
        pages(cursor -> admin.namespaces().list(Page.MAX_SIZE, cursor));
    boolean defaultSeen = false;
    for (NamespaceView namespace : registered) {
      defaultSeen |= namespace.name().equals(DEFAULT_NAMESPACE);
      if (record(new RecordKey.NamespaceById(namespace.id())) == null) {
        findings.add(StateFindings.halfNamespace(namespace.name(), namespace.id()));
      }
      if (namespace.state() == NamespaceRecord.State.ACTIVE) {
        findings.addAll(StateFindings.locks(namespace.name(), jobs(admin, namespace.name()), now));
      }
    }
    if (!defaultSeen) {
      findings.addAll(StateFindings.locks(DEFAULT_NAMESPACE, jobs(admin, DEFAULT_NAMESPACE), now));
    }
    return findings;
  }

  private static List<JobView> jobs(Admin admin, String namespace) {
    return pages(cursor -> admin.in(namespace).jobs().unfinished(Page.MAX_SIZE, cursor));
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

  private @Nullable SchemaRecord schema() {
    return (SchemaRecord) record(new RecordKey.Schema());
  }

  private @Nullable StoredRecord record(RecordKey key) {
    GetItemResponse found =
        dynamo.getItem(r -> r.tableName(table).key(RecordCodec.key(key)).consistentRead(true));
    return found.hasItem() ? RecordCodec.decode(key, found.item()) : null;
  }

  private static Optional<Instant> theirTime(SdkResponse response) {
    Optional<String> date = response.sdkHttpResponse().firstMatchingHeader("Date");
    try {
      return date.map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Instant middle(Instant from, Instant to) {
    return from.plus(Duration.between(from, to).dividedBy(2));
  }

  private static Finding unreachable(SdkClientException e) {
    return Finding.error(
        UNREACHABLE,
        "DynamoDB cannot be reached: " + e.getMessage(),
        "limiters answer as they are told to without it: they block, or admit without a charge",
        "check region, endpoint, credentials and the network");
  }

  private static Finding refused(String what, RuntimeException e) {
    return Finding.error(
        "refused",
        what + " failed: " + e.getMessage(),
        "what would be found that way is not known",
        "give this role the policy 'read' of the stack, and check again");
  }
}
