package dev.millrace.aggregator;

import static dev.millrace.aggregator.Recorded.poison;
import static dev.millrace.aggregator.Recorded.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.testkit.InMemoryUsageStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

class AggregatorTest {
  private final InMemoryUsageStore usage = new InMemoryUsageStore();
  private final List<DeadLetter> letters = new ArrayList<>();
  private final List<UsageWrite> written = new CopyOnWriteArrayList<>();
  private final List<Long> lags = new ArrayList<>();
  private Predicate<UsageWrite> away = write -> false;
  private Predicate<UsageKey> corrupt = key -> false;

  private Aggregator aggregator() {
    return builder().build();
  }

  private Aggregator.Builder builder() {
    return Aggregator.builder(new Sometimes(), letters::addAll)
        .clock(() -> Recorded.AT_MS + 1_500)
        .listener(
            new AggregatorListener() {
              @Override
              public void onWritten(UsageWrite write) {
                written.add(write);
              }

              @Override
              public void onBatch(BatchResult result, long lagMs) {
                lags.add(lagMs);
                if (result.records() == 0) {
                  throw new IllegalStateException("a listener does no harm");
                }
              }
            });
  }

  private long milli(String entity) {
    return milli(entity, Window.DAY);
  }

  private long milli(String entity, Window window) {
    UsageKey key = UsageKey.at("default", entity, "gpt-4", window, Recorded.AT_MS);
    List<UsageItem> items = usage.find(List.of(key));
    return items.isEmpty() ? 0 : items.get(0).milli("rpm");
  }

  @Test
  void process_manyRecordsOfOneBucket_areOneWriteForEachWindow() {
    BatchResult result =
        aggregator().process(List.of(record("a", 1), record("a", 2), record("a", 3)));

    assertThat(result).isEqualTo(new BatchResult(3, 3, 0, 0, 0, 0, null, null));
    assertThat(written).hasSize(3).allMatch(write -> write.events() == 3);
    assertThat(milli("a")).isEqualTo(3_000);
    assertThat(lags).containsExactly(1_500L);
  }

  /** A table that is restored, or whose stream is switched off and on: the numbers begin again. */
  @Test
  void process_lowerNumbersOfANewStream_areCountedOnce() {
    Aggregator aggregator = aggregator();
    aggregator.process(List.of(of("first", record("a", 8)), of("first", record("a", 9))));
    List<StreamRecord> later = List.of(of("second", record("a", 1)), of("second", record("a", 2)));

    assertThat(aggregator.process(later).applied()).isEqualTo(2);
    assertThat(aggregator.process(later).duplicates()).isEqualTo(2);
    assertThat(aggregator().process(later).duplicates()).as("another process").isEqualTo(2);
    assertThat(aggregator().process(List.of(of("first", record("a", 9)))).duplicates())
        .as("the first stream comes again")
        .isEqualTo(1);
    assertThat(milli("a")).isEqualTo(4_000);
  }

  @Test
  void process_twoStreamsInOneBatch_areCountedApart() {
    BatchResult result =
        aggregator().process(List.of(of("first", record("a", 9)), of("second", record("a", 1))));

    assertThat(result.applied()).isEqualTo(2);
    assertThat(milli("a")).isEqualTo(2_000);
  }

  /** Marks from before they named their stream: those of the stream that is read then. */
  @Test
  void process_markWithoutStream_stillKeepsWhatItHasSeenFromBeingCounted() {
    aggregator().process(List.of(record("a", 1), record("a", 2)));

    BatchResult result =
        aggregator().process(List.of(of("first", record("a", 2)), of("first", record("a", 3))));

    assertThat(result.duplicates()).isEqualTo(1);
    assertThat(result.applied()).isEqualTo(1);
    assertThat(aggregator().process(List.of(of("second", record("a", 1)))).applied()).isEqualTo(1);
    assertThat(milli("a")).isEqualTo(4_000);
  }

  @Test
  void replay_sameNumberOfANewStream_isCountedToo() {
    Aggregator aggregator = aggregator();
    DeadLetter first = new DeadLetter(of("first", record("a", 1)), "why");
    DeadLetter second = new DeadLetter(of("second", record("a", 1)), "why");

    assertThat(aggregator.replay(List.of(first, second, first)).applied()).isEqualTo(2);
    assertThat(milli("a")).isEqualTo(2_000);
  }

  @Test
  void process_labelThatNoStreamHas_isPoison() {
    assertThat(aggregator().process(List.of(of("x".repeat(65), record("a", 1)))).poison())
        .isEqualTo(1);
  }

  @Test
  void labelOf_names_areTheirLabels() {
    assertThat(
            StreamRecord.labelOf(
                "arn:aws:dynamodb:eu-west-1:1:table/limits/stream/2026-11-18T17:14:04.123"))
        .isEqualTo("2026-11-18T17:14:04.123");
    assertThat(StreamRecord.labelOf("arn:aws:dynamodb:eu-west-1:1:table/limits")).isEmpty();
    assertThat(StreamRecord.labelOf(null)).isEmpty();
  }

  private static StreamRecord of(String stream, StreamRecord record) {
    return new StreamRecord(
        stream,
        record.sequenceNumber(),
        record.createdAtMs(),
        record.kind(),
        record.byTimeToLive(),
        record.keys(),
        record.oldImage(),
        record.newImage());
  }

  /** The item was last refilled hours ago; what counts is when it was written. */
  @Test
  void process_oldRefill_countsForTheTimeOfTheRecord() {
    BucketKey key = BucketKey.first("default", "a", "gpt-4");
    long laterMs = Recorded.AT_MS + 5 * 3_600_000;
    aggregator()
        .process(
            List.of(
                Images.record(
                    "1",
                    laterMs,
                    Recorded.bucket(key, Division.NONE, 0, 0),
                    Recorded.bucket(key, Division.NONE, 7_000, 0))));
    UsageKey then = UsageKey.at("default", "a", "gpt-4", Window.HOUR, laterMs);
    assertThat(usage.find(List.of(then)))
        .singleElement()
        .satisfies(item -> assertThat(item.milli("rpm")).isEqualTo(7_000));
  }

  @Test
  void process_severalLimits_areOneEvent() {
    StreamRecord record = record("a", 1);
    Map<String, AttributeValue> image = new HashMap<>(record.newImage());
    for (String limit : List.of("tpm", "tpd")) {
      image.put("b_" + limit + "_tc", AttributeValue.fromN("5"));
    }
    image.put("b_wcu_tc", AttributeValue.fromN("9"));
    aggregator()
        .process(
            List.of(
                new StreamRecord(
                    "1",
                    Recorded.AT_MS,
                    OperationType.INSERT,
                    false,
                    record.keys(),
                    Map.of(),
                    image)));
    assertThat(written)
        .hasSize(3)
        .allMatch(write -> write.events() == 1)
        .allMatch(write -> write.addMilli().equals(Map.of("rpm", 1_000L, "tpm", 5L, "tpd", 5L)));
  }

  /** What this process knows to be done costs no write at all. */
  @Test
  void process_sameBatchAgain_writesNothing() {
    Aggregator aggregator = aggregator();
    aggregator.process(List.of(record("a", 1), record("a", 2)));
    written.clear();
    BatchResult again = aggregator.process(List.of(record("a", 1), record("a", 2)));
    assertThat(again.duplicates()).isEqualTo(2);
    assertThat(written).isEmpty();
    BatchResult elsewhere = aggregator().process(List.of(record("a", 2), record("a", 3)));
    assertThat(elsewhere.duplicates()).isEqualTo(1);
    assertThat(elsewhere.applied()).isEqualTo(1);
    assertThat(milli("a")).isEqualTo(3_000);
  }

  @Test
  void process_storeAway_saysFromWhereToComeAgain() {
    Aggregator aggregator = aggregator();
    away = write -> write.key().entityId().equals("b");
    BatchResult result =
        aggregator.process(List.of(record("a", 1), record("b", 1), record("a", 2), poison(9)));

    assertThat(result.firstFailed()).isEqualTo("1");
    assertThat(result.failure()).hasMessageContaining("usage could not be written");
    assertThat(letters).as("comes again with the rest").isEmpty();

    away = write -> false;
    BatchResult again = aggregator.process(List.of(record("b", 1), record("a", 2), poison(9)));
    assertThat(again.isDone()).isTrue();
    assertThat(milli("a")).isEqualTo(2_000);
    assertThat(milli("b")).isEqualTo(1_000);
    assertThat(letters).hasSize(1);
  }

  @Test
  void process_poison_goesAsideAndTheRestGoesOn() {
    BatchResult result = aggregator().process(List.of(record("a", 1), poison(2), record("a", 2)));
    assertThat(result).isEqualTo(new BatchResult(3, 2, 0, 0, 1, 0, null, null));
    assertThat(letters).hasSize(1);
    assertThat(letters.get(0).error()).contains("neither inserted nor modified");
    assertThat(milli("a")).isEqualTo(2_000);
  }

  @Test
  void process_deadLettersAway_failsFromThePoisonOn() {
    Aggregator aggregator =
        Aggregator.builder(
                usage,
                put -> {
                  throw new IllegalStateException("disk full");
                })
            .build();
    BatchResult result = aggregator.process(List.of(record("a", 1), poison(7), record("a", 2)));
    assertThat(result.firstFailed()).isEqualTo("7");
    assertThat(result.failure()).hasMessage("disk full");
    assertThat(result.applied()).isEqualTo(1);
  }

  @Test
  void process_auditEvents_goToTheArchive() {
    List<AuditEvent> archived = new ArrayList<>();
    AuditEvent event =
        new AuditEvent(
            new RecordKey.Audit("default", "entity/a", "01ABC"),
            Recorded.AT_MS,
            "alice",
            "limits.set",
            Map.of(),
            Map.of("rpm", "5"),
            1_900_000_000);
    StreamRecord made =
        new StreamRecord(
            "5",
            Recorded.AT_MS,
            OperationType.INSERT,
            false,
            RecordCodec.key(event.key()),
            Map.of(),
            RecordCodec.encode(event));
    StreamRecord expired =
        new StreamRecord(
            "6",
            Recorded.AT_MS,
            OperationType.REMOVE,
            true,
            RecordCodec.key(event.key()),
            RecordCodec.encode(event),
            Map.of());

    BatchResult result =
        builder().archive(archived::addAll).build().process(List.of(made, expired));

    assertThat(archived).containsExactly(event);
    assertThat(result).isEqualTo(new BatchResult(2, 0, 0, 1, 0, 1, null, null));
    assertThat(aggregator().process(List.of(made)).ignored()).isEqualTo(1);
    BatchResult failed =
        builder()
            .archive(
                events -> {
                  throw new IllegalStateException("no bucket");
                })
            .build()
            .process(List.of(record("a", 1), made, record("a", 2)));
    assertThat(failed.firstFailed()).isEqualTo("5");
  }

  @Test
  void replay_afterLaterOnes_isAddedOnce() {
    Aggregator aggregator = aggregator();
    aggregator.process(List.of(record("a", 1), record("a", 3)));
    assertThat(milli("a")).isEqualTo(2_000);

    assertThat(aggregator.replay(List.of(letter(record("a", 2)))).applied()).isEqualTo(1);
    assertThat(aggregator().replay(List.of(letter(record("a", 2)))).duplicates()).isEqualTo(1);
    assertThat(aggregator.process(List.of(record("a", 3), record("a", 4))).applied()).isEqualTo(1);

    assertThat(milli("a")).isEqualTo(4_000);
    away = write -> true;
    assertThat(aggregator.replay(List.of(letter(record("a", 5)))).firstFailed()).isEqualTo("5");
    assertThat(aggregator.replay(List.of(letter(poison(6)))).poison()).isEqualTo(1);
  }

  private static DeadLetter letter(StreamRecord record) {
    return new DeadLetter(record, "why");
  }

  /** What is stored of one window cannot be added to; all else can, and nothing waits for it. */
  @Test
  void process_corruptUsage_goesAsideAndTheRestGoesOn() {
    Aggregator aggregator = aggregator();
    aggregator.process(List.of(record("a", 1)));
    corrupt = key -> key.entityId().equals("a") && key.window().equals(Window.DAY);
    BatchResult result =
        aggregator.process(List.of(record("a", 2), record("b", 1), record("a", 3)));

    assertThat(result).isEqualTo(new BatchResult(3, 1, 0, 0, 2, 0, null, null));
    assertThat(milli("b")).isEqualTo(1_000);
    assertThat(milli("a", Window.HOUR)).isEqualTo(3_000);
    assertThat(milli("a", Window.DAY)).isEqualTo(1_000);
    assertThat(letters)
        .containsExactly(
            new DeadLetter(record("a", 2), "t_rpm is not a number", List.of(Window.DAY)),
            new DeadLetter(record("a", 3), "t_rpm is not a number", List.of(Window.DAY)));
    assertThat(aggregator.process(List.of(record("a", 2))).duplicates()).isEqualTo(1);
  }

  /** Only the window that lacks them gets them, once, after its item was repaired. */
  @Test
  void replay_afterRepair_countsWhereItWasMissingOnly() {
    Aggregator aggregator = aggregator();
    corrupt = key -> !key.window().equals(Window.HOUR);
    aggregator.process(List.of(record("a", 1), record("a", 2)));
    assertThat(letters).hasSize(2).allMatch(l -> l.windows().size() == 2);
    List<DeadLetter> kept = List.copyOf(letters);
    assertThat(aggregator.replay(kept).poison()).as("not repaired yet").isEqualTo(2);

    corrupt = key -> key.window().equals(Window.MONTH);
    assertThat(aggregator.replay(kept).poison()).as("half repaired").isEqualTo(2);
    assertThat(milli("a", Window.DAY)).isEqualTo(2_000);
    corrupt = key -> false;
    aggregator.process(List.of(record("a", 3)));
    assertThat(aggregator.replay(kept).applied()).isEqualTo(2);
    assertThat(aggregator.replay(kept).duplicates()).isEqualTo(2);
    for (Window window : List.of(Window.HOUR, Window.DAY, Window.MONTH)) {
      assertThat(milli("a", window)).as(window.toString()).isEqualTo(3_000);
    }
  }

  @Test
  void process_corruptUsageAndDeadLettersAway_failsFromThereOn() {
    corrupt = key -> key.entityId().equals("a");
    Aggregator aggregator =
        Aggregator.builder(
                new Sometimes(),
                put -> {
                  throw new IllegalStateException("disk full");
                })
            .build();
    BatchResult result = aggregator.process(List.of(record("b", 1), record("a", 7)));
    assertThat(result.firstFailed()).isEqualTo("7");
    assertThat(result.failure()).hasMessage("disk full");
  }

  @Test
  void replay_windowThatIsNotCounted_staysALetter() {
    DeadLetter other =
        new DeadLetter(record("a", 1), "why", List.of(Window.parse("day@Europe/Berlin")));
    assertThat(aggregator().replay(List.of(other)).poison()).isEqualTo(1);
    assertThat(letters)
        .singleElement()
        .satisfies(l -> assertThat(l.error()).endsWith("is not counted here"));
    assertThat(usage.all()).isEmpty();
  }

  /** Sums that no number holds go out in pieces. */
  @Test
  void process_hugeAmounts_areExact() {
    BucketKey key = BucketKey.first("default", "huge", "gpt-4");
    List<StreamRecord> records = new ArrayList<>();
    long milli = 0;
    for (int i = 1; i <= 9; i++) {
      long next =
          i % 3 == 0 ? milli - 9_000_000_000_000_000_000L : milli + 4_500_000_000_000_000_000L;
      records.add(
          Images.record(
              Integer.toString(i),
              Recorded.AT_MS,
              Recorded.bucket(key, Division.NONE, milli, 0),
              Recorded.bucket(key, Division.NONE, next, 0)));
      milli = next;
    }
    assertThat(aggregator().process(records).applied()).isEqualTo(9);
    assertThat(milli("huge")).isEqualTo(milli);
  }

  @Test
  void process_onManyThreads_isTheSame() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      Aggregator aggregator = builder().executor(executor).build();
      List<StreamRecord> records = new ArrayList<>();
      for (int number = 1; number <= 20; number++) {
        for (int entity = 0; entity < 40; entity++) {
          records.add(record("e" + entity, number));
        }
      }
      away = write -> write.key().entityId().equals("e7");
      BatchResult failed = aggregator.process(records);
      assertThat(failed.isDone()).isFalse();
      away = write -> false;
      assertThat(aggregator.process(records).isDone()).isTrue();
      for (int entity = 0; entity < 40; entity++) {
        assertThat(milli("e" + entity)).isEqualTo(20_000);
      }
    } finally {
      executor.shutdown();
    }
  }

  /** Nobody waits for an executor that has no thread left, or that takes nothing. */
  @Test
  void process_executorBusyOrClosed_isDoneAllTheSame() {
    List<Runnable> waiting = new ArrayList<>();
    List<StreamRecord> records = List.of(record("a", 1), record("b", 1), record("c", 1));
    assertThat(builder().executor(waiting::add).build().process(records).isDone()).isTrue();
    assertThat(waiting).isNotEmpty();
    waiting.forEach(Runnable::run); // too late to do anything
    ExecutorService closed = Executors.newSingleThreadExecutor();
    closed.shutdown();
    BatchResult result =
        builder().executor(closed).build().process(List.of(record("a", 2), record("b", 2)));
    assertThat(result.applied()).isEqualTo(2);
    assertThat(milli("a")).isEqualTo(2_000);
  }

  @Test
  void process_listenerThrows_isDoneAllTheSame() {
    assertThat(aggregator().process(List.of()))
        .isEqualTo(new BatchResult(0, 0, 0, 0, 0, 0, null, null));
  }

  @Test
  void process_listenerThrowsAnError_isCountedAllTheSame() {
    AggregatorListener broken =
        new AggregatorListener() {
          @Override
          public void onWritten(UsageWrite write) {
            throw new NoClassDefFoundError("a metrics library is not complete");
          }
        };
    BatchResult result =
        builder().listener(broken).build().process(List.of(record("a", 2), record("b", 2)));
    assertThat(result.applied()).isEqualTo(2);
    assertThat(milli("b")).isEqualTo(1_000);
  }

  /** Is away for some writes, and corrupt for others. */
  private final class Sometimes implements UsageStore {
    @Override
    public UsageReply apply(UsageWrite write) {
      if (corrupt.test(write.key())) {
        return new UsageReply.Corrupt("t_rpm is not a number");
      }
      return away.test(write)
          ? new UsageReply.Failed(new StoreFailure(StoreFailure.Kind.THROTTLED, null))
          : usage.apply(write);
    }

    @Override
    public List<UsageItem> find(List<UsageKey> keys) {
      return usage.find(keys);
    }

    @Override
    public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
      return usage.list(listing, limit, cursor);
    }
  }
}
