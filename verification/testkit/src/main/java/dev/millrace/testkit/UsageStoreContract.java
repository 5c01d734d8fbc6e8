package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store of usage, as a JUnit test: extend it and name the store. Every test
 * makes usage in a namespace of its own, so a shared table will do, and leaves it behind.
 */
public abstract class UsageStoreContract {
  private static final long START = Instant.parse("2026-11-15T20:00:00Z").toEpochMilli();
  private static final long HOUR_MS = 3_600_000;
  private static final long EXPIRES = 1_900_000_000;

  private final String namespace = "n" + UUID.randomUUID().toString().replace("-", "");
  private final UsageKey key = key("user-1", "gpt-4", Window.HOUR, START);

  /** For the tests that extend it. */
  protected UsageStoreContract() {}

  /** The store under test. */
  public abstract UsageStore store();

  /** How many random sequences of writes are compared with the store in memory. */
  public int randomSequences() {
    return 50;
  }

  @Test
  void apply_firstWrite_makesTheItem() {
    assertApplied(write(key, Map.of("rpm", 1_000L, "tpm", 500_000L), 3, run(0, 5, 7)));

    assertThat(store().find(List.of(key)))
        .containsExactly(
            new UsageItem(
                key,
                Map.of("rpm", 1_000L, "tpm", 500_000L),
                3,
                Map.of(shard(0), number(7)),
                Set.of(),
                EXPIRES));
  }

  @Test
  void apply_sameAgain_isRefusedByTheItem() {
    UsageWrite write = write(key, Map.of("rpm", 1_000L), 1, run(0, 5, 7));
    assertApplied(write);

    UsageReply reply = store().apply(write);

    assertThat(reply)
        .isInstanceOfSatisfying(
            UsageReply.Refused.class,
            refused -> {
              assertThat(refused.item().seen()).containsExactly(Map.entry(shard(0), number(7)));
              assertThat(refused.item().milli("rpm")).isEqualTo(1_000);
            });
    assertThat(only().milli("rpm")).isEqualTo(1_000);
  }

  @Test
  void apply_nextRecords_areAdded() {
    assertApplied(write(key, Map.of("rpm", 1_000L), 1, run(0, 5, 7)));
    assertApplied(write(key, Map.of("rpm", -400L, "tpm", 1L), 2, run(0, 8, 8)));

    assertThat(only().totalMilli()).isEqualTo(Map.of("rpm", 600L, "tpm", 1L));
    assertThat(only().events()).isEqualTo(3);
    assertThat(only().seen()).isEqualTo(Map.of(shard(0), number(8)));
  }

  @Test
  void apply_beginsWithWhatWasSeen_addsNothing() {
    assertApplied(write(key, Map.of("rpm", 1_000L), 1, run(0, 5, 7)));

    assertRefused(write(key, Map.of("rpm", 1_000L), 1, run(0, 7, 9)));
    assertRefused(write(key, Map.of("rpm", 1_000L), 1, run(0, 1, 4)));

    assertThat(only().milli("rpm")).isEqualTo(1_000);
    assertThat(only().seen()).isEqualTo(Map.of(shard(0), number(7)));
  }

  @Test
  void apply_oneOfTwoShardsSeen_addsNothingOfEither() {
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, 5, 7)));

    Map<Integer, UsageWrite.Run> runs = new HashMap<>(run(0, 7, 7));
    runs.putAll(run(1, 100, 101));
    assertRefused(write(key, Map.of("rpm", 10L), 2, runs));

    assertThat(only().milli("rpm")).isEqualTo(1);
    assertThat(only().seen()).isEqualTo(Map.of(shard(0), number(7)));
  }

  @Test
  void apply_shards_haveAnOrderOfTheirOwn() {
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(1, 50, 50)));
    assertApplied(write(key, Map.of("rpm", 2L), 1, run(0, 5, 7)));
    assertApplied(write(key, Map.of("rpm", 4L), 1, run(UsageWrite.BEFORE_SHARDS, 1, 1)));
    assertApplied(write(key, Map.of("rpm", 8L), 1, run(65_535, 2, 2)));

    assertThat(only().milli("rpm")).isEqualTo(15);
    assertThat(only().seen())
        .isEqualTo(
            Map.of(
                shard(1),
                number(50),
                shard(0),
                number(7),
                shard(-1),
                number(1),
                shard(65_535),
                number(2)));
  }

  @Test
  void apply_longNumbers_areCompared_asNumbers() {
    String forty = "9".repeat(40);
    String less = "9".repeat(39) + "8";
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, SequenceNumber.of("9"))));
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, SequenceNumber.of("10"))));
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, SequenceNumber.of(less))));
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, SequenceNumber.of(forty))));
    assertRefused(write(key, Map.of("rpm", 1L), 1, run(0, SequenceNumber.of(less))));
  }

  @Test
  void apply_late_isAddedOnce() {
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, 5, 7)));
    UsageWrite late =
        new UsageWrite(key, Map.of("rpm", 2L), 1, new UsageWrite.Late(number(6)), EXPIRES);

    assertApplied(late);
    assertRefused(late);
    assertApplied(write(key, Map.of("rpm", 4L), 1, run(0, 8, 8)));
    assertApplied(
        new UsageWrite(key, Map.of("rpm", 8L), 1, new UsageWrite.Late(number(3)), EXPIRES));

    assertThat(only().milli("rpm")).isEqualTo(15);
    assertThat(only().late())
        .containsExactlyInAnyOrder(new UsageWrite.Late(number(6)), new UsageWrite.Late(number(3)));
    assertThat(only().seen()).isEqualTo(Map.of(shard(0), number(8)));
  }

  /** A table that is restored, or whose stream is switched off and on, begins to count again. */
  @Test
  void apply_lowerNumbersOfAnotherStream_areAdded() {
    assertApplied(ofStream("first", Map.of("rpm", 1L), run(0, 50, 70)));

    assertApplied(ofStream("second", Map.of("rpm", 2L), run(0, 5, 7)));
    assertRefused(ofStream("second", Map.of("rpm", 4L), run(0, 7, 7)));
    assertRefused(ofStream("first", Map.of("rpm", 8L), run(0, 70, 70)));

    assertThat(only().milli("rpm")).isEqualTo(3);
    assertThat(only().seen())
        .isEqualTo(
            Map.of(
                new UsageSource("first", 0), number(70), new UsageSource("second", 0), number(7)));
  }

  /** It was made before marks named their stream, by the one that is read then. */
  @Test
  void apply_markWithoutStream_isThatOfTheFirstStreamThatComes() {
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, 5, 7)));

    assertRefused(ofStream("first", Map.of("rpm", 2L), run(0, 7, 9)));
    assertApplied(ofStream("first", Map.of("rpm", 4L), run(0, 8, 9)));
    assertThat(only().seen()).isEqualTo(Map.of(new UsageSource("first", 0), number(9)));
    assertApplied(ofStream("second", Map.of("rpm", 8L), run(0, 1, 1)));

    assertThat(only().milli("rpm")).isEqualTo(13);
  }

  @Test
  void apply_lateOfAnotherStream_isAddedToo() {
    assertApplied(late("first", 6));
    assertApplied(late("second", 6));
    assertRefused(late("first", 6));
    assertRefused(late("second", 6));
    assertApplied(late(UsageSource.UNNAMED, 7));
    assertRefused(late("first", 7));

    assertThat(only().milli("rpm")).isEqualTo(3);
  }

  private UsageWrite late(String stream, long number) {
    UsageWrite.Late late = new UsageWrite.Late(stream, number(number));
    return new UsageWrite(key, Map.of("rpm", 1L), 1, late, EXPIRES);
  }

  private UsageWrite ofStream(
      String stream, Map<String, Long> add, Map<Integer, UsageWrite.Run> runs) {
    return new UsageWrite(key, add, 1, new UsageWrite.InOrder(stream, runs), EXPIRES);
  }

  @Test
  void apply_asMuchAsFits_isOneWrite() {
    Map<String, Long> limits = new HashMap<>();
    for (int i = 0; i < UsageWrite.MAX_LIMITS; i++) {
      limits.put("l" + "x".repeat(50) + "-._" + i, (long) i);
    }
    Map<Integer, UsageWrite.Run> runs = new HashMap<>();
    for (int i = 0; i < UsageWrite.MAX_SHARDS; i++) {
      runs.putAll(run(i, 10 + i, 20 + i));
    }
    assertApplied(ofStream("2026-11-18T17:14:04.123", limits, runs));
    assertThat(only().totalMilli()).isEqualTo(limits);
    assertThat(only().seen()).hasSize(UsageWrite.MAX_SHARDS);
  }

  @Test
  void apply_totalsBeyond64Bits_comeBack() {
    assertApplied(write(key, Map.of("rpm", Long.MAX_VALUE), 1, run(0, 1, 1)));
    assertApplied(write(key, Map.of("rpm", Long.MAX_VALUE), 1, run(0, 2, 2)));
    assertThat(only().milli("rpm")).isEqualTo(Long.MAX_VALUE);
    assertApplied(write(key, Map.of("rpm", -Long.MAX_VALUE), 1, run(0, 3, 3)));
    assertApplied(write(key, Map.of("rpm", -Long.MAX_VALUE + 5), 1, run(0, 4, 4)));
    assertThat(only().milli("rpm")).isEqualTo(5);
  }

  @Test
  void apply_byMany_isMadeOnce() {
    UsageWrite write = write(key, Map.of("rpm", 1L), 1, run(0, 5, 7));
    List<CompletableFuture<UsageReply>> replies = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      replies.add(CompletableFuture.supplyAsync(() -> store().apply(write)));
    }
    assertThat(replies.stream().map(CompletableFuture::join))
        .filteredOn(UsageReply.Applied.class::isInstance)
        .hasSize(1);
    assertThat(only().milli("rpm")).isEqualTo(1);
  }

  @Test
  void find_missing_isLeftOut() {
    UsageKey other = key("user-2", "gpt-4", Window.HOUR, START);
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, 1, 1)));

    assertThat(store().find(List.of(other, key))).extracting(UsageItem::key).containsExactly(key);
    assertThat(store().find(List.of())).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> store().find(List.of(key, key)));
  }

  /** An hour at midnight, the day and the month that begin with it are three items. */
  @Test
  void windows_thatBeginTogether_areApart() {
    long first = Instant.parse("2026-11-01T00:00:00Z").toEpochMilli();
    Window abidjan = new Window(Window.Unit.DAY, ZoneId.of("Africa/Abidjan")); // UTC all the year
    long milli = 1;
    for (Window window : List.of(Window.HOUR, Window.DAY, Window.MONTH, abidjan)) {
      assertApplied(
          write(key("user-1", "gpt-4", window, first), Map.of("rpm", milli), 1, run(0, 1, 1)));
      milli *= 10;
    }
    milli = 1;
    for (Window window : List.of(Window.HOUR, Window.DAY, Window.MONTH, abidjan)) {
      UsageListing listing =
          new UsageListing.OfEntity(namespace, "user-1", "gpt-4", window, first, first + HOUR_MS);
      assertThat(list(listing, 10)).extracting(item -> item.milli("rpm")).containsExactly(milli);
      milli *= 10;
    }
  }

  @Test
  void list_ofEntity_isTheRangeInOrder() {
    for (int hour : List.of(5, 1, 3, 2, 4, 0)) {
      assertApplied(
          write(
              key("user-1", "gpt-4", Window.HOUR, START + hour * HOUR_MS),
              Map.of("rpm", (long) hour),
              1,
              run(0, 1, 1)));
    }
    assertApplied(
        write(key("user-10", "gpt-4", Window.HOUR, START), Map.of("rpm", 9L), 1, run(0, 1, 1)));
    assertApplied(
        write(key("user-1", "gpt-4o", Window.HOUR, START), Map.of("rpm", 9L), 1, run(0, 1, 1)));

    for (int pageSize : List.of(1, 2, 3, 100)) {
      assertThat(list(hours(1, 5), pageSize))
          .extracting(item -> item.milli("rpm"))
          .containsExactly(1L, 2L, 3L, 4L);
    }
    assertThat(list(hours(2, 2), 10)).isEmpty();
    assertThat(list(hours(7, 9), 10)).isEmpty();
  }

  @Test
  void list_ofEntity_startsWithinTheRangeOnly() {
    assertApplied(write(key, Map.of("rpm", 1L), 1, run(0, 1, 1)));
    UsageListing later =
        new UsageListing.OfEntity(
            namespace, "user-1", "gpt-4", Window.HOUR, START + 1, START + HOUR_MS);
    UsageListing justThere =
        new UsageListing.OfEntity(namespace, "user-1", "gpt-4", Window.HOUR, START, START + 1);
    assertThat(list(later, 10)).isEmpty();
    assertThat(list(justThere, 10)).hasSize(1);
  }

  @Test
  void list_ofResource_isEverybodyInOnePiece() {
    for (String entity : List.of("b", "a", "c.d", "c")) {
      for (int hour = 0; hour < 2; hour++) {
        assertApplied(
            write(
                key(entity, "gpt-4", Window.HOUR, START + hour * HOUR_MS),
                Map.of("rpm", 1L + hour),
                1,
                run(0, 1, 1)));
      }
    }
    assertApplied(write(key("z", "gpt-4", Window.DAY, START), Map.of("rpm", 1L), 1, run(0, 1, 1)));
    assertApplied(write(key("z", "gpt", Window.HOUR, START), Map.of("rpm", 1L), 1, run(0, 1, 1)));
    UsageListing listing = new UsageListing.OfResource(namespace, "gpt-4", Window.HOUR, START);

    for (int pageSize : List.of(1, 3, 100)) {
      List<UsageItem> items = list(listing, pageSize);
      assertThat(items)
          .extracting(item -> item.key().entityId())
          .containsExactly("a", "b", "c", "c.d");
      assertThat(items).allSatisfy(item -> assertThat(item.milli("rpm")).isEqualTo(1));
    }
  }

  @Test
  void list_badArguments_areRefused() {
    for (int hour = 0; hour < 2; hour++) {
      assertApplied(
          write(
              key("user-1", "gpt-4", Window.HOUR, START + hour * HOUR_MS),
              Map.of("rpm", 1L),
              1,
              run(0, 1, 1)));
    }
    String cursor = store().list(hours(0, 2), 1, null).cursor();
    assertThat(cursor).isNotNull();
    assertThatIllegalArgumentException().isThrownBy(() -> store().list(hours(0, 3), 1, cursor));
    assertThatIllegalArgumentException().isThrownBy(() -> store().list(hours(0, 2), 1, "nonsense"));
    assertThatIllegalArgumentException().isThrownBy(() -> store().list(hours(0, 2), 0, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store().list(hours(0, 2), UsagePage.MAX_SIZE + 1, null));
  }

  /** Random writes are answered as the store in memory answers them, and leave the same. */
  @Test
  void apply_anySequence_asInMemory() {
    Seeds.forEach(
        randomSequences(),
        (random, seed) -> {
          InMemoryUsageStore model = new InMemoryUsageStore();
          UsageKey one = key("seed" + seed, "gpt-4", Window.DAY, Window.DAY.startOf(START));
          for (int i = 0; i < 12; i++) {
            UsageWrite write = randomWrite(random, one);
            assertThat(store().apply(write)).isEqualTo(model.apply(write));
          }
          assertThat(new HashSet<>(store().find(List.of(one))))
              .isEqualTo(new HashSet<>(model.find(List.of(one))));
        });
  }

  private static UsageWrite randomWrite(RandomGenerator random, UsageKey key) {
    Map<String, Long> add = new HashMap<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      add.put(Gen.oneOf(random, List.of("rpm", "tpm", "a.b-c")), random.nextLong(-50, 100));
    }
    if (Gen.oneIn(random, 5)) {
      UsageWrite.Late late = new UsageWrite.Late(stream(random), number(random.nextInt(1, 20)));
      return new UsageWrite(key, add, 1, late, EXPIRES);
    }
    Map<Integer, UsageWrite.Run> runs = new HashMap<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      long first = random.nextInt(1, 20);
      runs.putAll(run(random.nextInt(-1, 3), first, first + random.nextInt(4)));
    }
    UsageWrite.InOrder inOrder = new UsageWrite.InOrder(stream(random), runs);
    return new UsageWrite(key, add, random.nextInt(4), inOrder, EXPIRES);
  }

  private static String stream(RandomGenerator random) {
    return Gen.oneOf(random, List.of(UsageSource.UNNAMED, "2026-11-18T17:14:04.123", "other"));
  }

  private UsageListing hours(int from, int to) {
    return new UsageListing.OfEntity(
        namespace, "user-1", "gpt-4", Window.HOUR, START + from * HOUR_MS, START + to * HOUR_MS);
  }

  /** All pages of a listing, in order. */
  private List<UsageItem> list(UsageListing listing, int pageSize) {
    List<UsageItem> items = new ArrayList<>();
    String cursor = null;
    for (int pages = 0; pages < 50; pages++) {
      UsagePage page = store().list(listing, pageSize, cursor);
      assertThat(page.items().size()).isLessThanOrEqualTo(pageSize);
      items.addAll(page.items());
      cursor = page.cursor();
      if (cursor == null) {
        return items;
      }
    }
    throw new AssertionError("a listing did not end: " + listing);
  }

  private UsageItem only() {
    List<UsageItem> items = store().find(List.of(key));
    assertThat(items).hasSize(1);
    return items.get(0);
  }

  private void assertApplied(UsageWrite write) {
    assertThat(store().apply(write)).isEqualTo(new UsageReply.Applied());
  }

  private void assertRefused(UsageWrite write) {
    assertThat(store().apply(write)).isInstanceOf(UsageReply.Refused.class);
  }

  private UsageKey key(String entity, String resource, Window window, long startMs) {
    return new UsageKey(namespace, entity, resource, window, startMs);
  }

  private static UsageWrite write(
      UsageKey key, Map<String, Long> add, long events, Map<Integer, UsageWrite.Run> runs) {
    return new UsageWrite(key, add, events, new UsageWrite.InOrder(runs), EXPIRES);
  }

  private static Map<Integer, UsageWrite.Run> run(int shard, long first, long last) {
    return Map.of(shard, new UsageWrite.Run(number(first), number(last)));
  }

  private static Map<Integer, UsageWrite.Run> run(int shard, SequenceNumber number) {
    return Map.of(shard, new UsageWrite.Run(number, number));
  }

  private static UsageSource shard(int shard) {
    return new UsageSource(UsageSource.UNNAMED, shard);
  }

  private static SequenceNumber number(long number) {
    return SequenceNumber.of(Long.toString(number));
  }
}
