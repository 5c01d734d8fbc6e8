package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The production code in two to eight regions, with clocks up to an hour off, under every fault:
 * snapshots that are lost, late, repeated, out of order, stale and damaged; tables and S3 that go
 * away; requests and answers that get lost, or arrive when nobody waits; processes that die between
 * any two calls; operators who set limits by hand, and add, drain and evict regions, in one region
 * after the other.
 */
class LiveSimulationTest {
  private static final int SEEDS = Integer.getInteger("millrace.regions.liveSeeds", 12);
  private static final String CAUGHT =
      "(?s)seed .*(enforces|credited|held and on its way|balances and tokens|admitted|tells of).*";
  private static final int EVENTS = 140;

  private static Map<String, Integer> run(UnaryOperator<BlockingStore> mutant) {
    Map<String, Integer> seen = new TreeMap<>();
    Seeds.forEach(
        SEEDS,
        (random, seed) -> {
          try (LiveWorld world = new LiveWorld(random, 2 + (int) (seed % 7), mutant)) {
            world.run(EVENTS);
            world.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
          }
        });
    return seen;
  }

  @Test
  void run_everyFault_neverExceedsTheWhole() {
    Map<String, Integer> seen = run(UnaryOperator.identity());
    if (System.getProperty(Seeds.PROPERTY) == null) {
      assertThat(seen.get("windows")).as("%s", seen).isGreaterThan(80 * SEEDS);
      assertThat(seen.get("crashes")).as("%s", seen).isGreaterThan(4 * SEEDS);
      assertThat(seen.get("gifts")).as("%s", seen).isGreaterThan(5 * SEEDS);
      assertThat(seen.get("refusals")).as("%s", seen).isGreaterThan(4 * SEEDS);
      assertThat(seen.get("evictions")).as("%s", seen).isGreaterThan(SEEDS / 4);
      assertThat(seen.get("admitted")).as("%s", seen).isGreaterThan(50 * SEEDS);
    }
  }

  /** The bucket in one write, the ledger in another, and it dies between the two. */
  @Test
  void run_bucketAndLedgerAreNotOneWrite_isCaught() {
    // A limiter may meet the bucket first: it is then ahead of every record that there is.
    assertThatThrownBy(() -> run(table -> new TornReadException(table)))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(CAUGHT + "|(?s)seed .*failure=SET_BACK.*");
  }

  /** What was never written is published. */
  @Test
  void run_writeThatIsAnsweredAndNotMade_isCaught() {
    assertThatThrownBy(() -> run(table -> new Lying(table)))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(CAUGHT);
  }

  /** Of every third transaction only the buckets are written. */
  private static final class TornReadException implements BlockingStore {
    private final BlockingStore table;
    private int transactions;

    TornReadException(BlockingStore table) {
      this.table = table;
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      if (call instanceof StoreCall.Transaction transaction
          && !transaction.plans().isEmpty()
          && ++transactions % 3 == 0) {
        List<RecordChange> none = List.of();
        return table.execute(
            new StoreCall.Transaction(transaction.plans(), none, transaction.token()), timeoutMs);
      }
      return table.execute(call, timeoutMs);
    }
  }

  /** Every third transaction is said to be made, and is not. */
  private static final class Lying implements BlockingStore {
    private final BlockingStore table;
    private int transactions;

    Lying(BlockingStore table) {
      this.table = table;
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      return call instanceof StoreCall.Transaction && ++transactions % 3 == 0
          ? new StoreReply.Committed(Receipt.NONE)
          : table.execute(call, timeoutMs);
    }
  }
}
