package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about what is listed in the order of time, or by name. */
public interface AuditListingContract extends StoreUnderTest {
  private static AuditEvent event(String namespace, String subject, String id) {
    return new AuditEvent(
        new RecordKey.Audit(namespace, subject, id),
        1_700_000_000_123L,
        "alice",
        "limits.set",
        Map.of("limits", "rpm 1/min"),
        Map.of("limits", "rpm 2/min"),
        4_000_000_000L);
  }

  @ParameterizedTest
  @EnumSource
  default void list_auditOfSubject_isNewestFirst(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    AuditEvent first = event(namespace, "a", "01HZ-1");
    AuditEvent second = event(namespace, "a", "01HZ-2");
    AuditEvent third = event(namespace, "a", "01HZ-3");
    records.given(
        second,
        event(namespace, "a#1", "01HZ-1"),
        third,
        event(namespace + "-2", "a", "01HZ-1"),
        first);
    records.assertListedInOrder(
        new Listing.AuditOfSubject(namespace, "a", "", ""), third, second, first);
    records.assertListedInOrder(new Listing.AuditOfSubject(namespace, "b", "", ""));
  }

  @ParameterizedTest
  @EnumSource
  default void list_auditWithinARange_includesBothEnds(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    AuditEvent first = event(namespace, "a", "01HZ-1");
    AuditEvent second = event(namespace, "a", "01HZ-2");
    AuditEvent third = event(namespace, "a", "01HZ-3");
    records.given(first, second, third);
    for (Object[] range :
        List.of(
            new Object[] {"01HZ-2", "", List.of(third, second)},
            new Object[] {"", "01HZ-2", List.of(second, first)},
            new Object[] {"01HZ-2", "01HZ-2", List.of(second)},
            new Object[] {"01HZ-1-", "01HZ-2-", List.of(second)},
            new Object[] {"01", "01HZ-1", List.of(first)},
            new Object[] {"01HZ-4", "", List.of()},
            new Object[] {"", "01HY", List.of()},
            new Object[] {"01HZ-3", "01HZ-1", List.of()})) {
      String from = (String) range[0];
      String to = (String) range[1];
      AuditEvent[] expected =
          ((List<?>) range[2]).stream().map(AuditEvent.class::cast).toArray(AuditEvent[]::new);
      records.assertListedInOrder(new Listing.AuditOfSubject(namespace, "a", from, to), expected);
      records.assertListedInOrder(new Listing.AuditOfNamespace(namespace, from, to), expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void list_auditOfNamespace_isOfAllSubjectsNewestFirst(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    AuditEvent first = event(namespace, "b", "01HZ-1");
    AuditEvent second = event(namespace, "a", "01HZ-2");
    AuditEvent third = event(namespace, "$RESOURCE:x", "01HZ-3");
    AuditEvent fourth = event(namespace, "a", "01HZ-4");
    records.given(third, first, fourth, event(namespace + "-2", "a", "01HZ-2"), second);
    records.assertListedInOrder(
        new Listing.AuditOfNamespace(namespace, "", ""), fourth, third, second, first);
    records.assertListedInOrder(
        new Listing.AuditOfNamespace(namespace, "01HZ-2", "01HZ-3"), third, second);
  }

  @ParameterizedTest
  @EnumSource
  default void list_jobs_areOldestFirst(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    JobRecord first = job(namespace, "01HZ-1");
    JobRecord second = job(namespace, "01HZ-2");
    JobRecord third = job(namespace, "01HZ-3");
    records.given(third, first, second, job(namespace + "-2", "01HZ-1"));
    records.assertListedInOrder(new Listing.Jobs(namespace), first, second, third);
    records.assertListedInOrder(new Listing.Jobs(namespace + "-3"));
  }

  private static JobRecord job(String namespace, String id) {
    return new JobRecord(
        new RecordKey.Job(namespace, id), 1, "purge", Map.of(), null, 0, 0, false, 1, 1, 0);
  }

  /** Everybody's: only the order of this test's can be told. */
  @ParameterizedTest
  @EnumSource
  default void list_namespaces_areByNameAndOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String name = records.namespace();
    NamespaceRecord first =
        namespace(new RecordKey.NamespaceByName(name + "-1"), name + "-1", name + "-3");
    NamespaceRecord second =
        namespace(new RecordKey.NamespaceByName(name + "-2"), name + "-2", name + "-4");
    records.given(
        second,
        first,
        namespace(new RecordKey.NamespaceById(name + "-3"), name + "-1", name + "-3"),
        namespace(new RecordKey.NamespaceById(name + "-4"), name + "-2", name + "-4"));
    assertThat(
            records.list(new Listing.Namespaces(), 7).stream()
                .filter(
                    entry ->
                        entry instanceof ListEntry.Stored stored
                            && stored.record() instanceof NamespaceRecord found
                            && found.name().startsWith(name)))
        .containsExactly(new ListEntry.Stored(first), new ListEntry.Stored(second));
  }

  private static NamespaceRecord namespace(RecordKey key, String name, String id) {
    return new NamespaceRecord(key, 1, name, id, NamespaceRecord.State.ACTIVE, 1);
  }
}
