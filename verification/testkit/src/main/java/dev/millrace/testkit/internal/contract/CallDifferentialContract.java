package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.StoreContract;
import dev.millrace.testkit.internal.generator.CallGen;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The part of {@link StoreContract} that compares a store with the model, call by call: writes,
 * transactions over buckets and records, some of them sent again, reads, lookups and erasures, and
 * at the end everything that can be listed.
 */
public interface CallDifferentialContract extends StoreUnderTest {
  /** Calls of one sequence. */
  int CALLS_OF_SEQUENCE = 16;

  /** Most entries of a page in the comparison of listings. */
  int MAX_PAGE = 5;

  int randomSequences();

  @ParameterizedTest
  @EnumSource
  default void store_randomCalls_agreeWithModel(StorePort driver) {
    Gen.forEachSeed(
        randomSequences(),
        (random, seed) -> {
          InMemoryStore model = new InMemoryStore();
          ContractRecords records = new ContractRecords(this, driver);
          CallGen calls = new CallGen(random, records.namespace(), model);
          for (int i = 0; i < CALLS_OF_SEQUENCE; i++) {
            StoreCall call = calls.next("op-" + i);
            StoreReply expected = model.execute(call, StorePort.TIMEOUT_MS);
            assertAgrees("answer to call " + i + ", " + call, records.execute(call), expected);
          }
          for (Listing listing : calls.listings()) {
            records.assertListed(listing, 1 + random.nextInt(MAX_PAGE), all(model, listing));
          }
        });
  }

  private static List<ListEntry> all(InMemoryStore model, Listing listing) {
    StoreReply reply = model.execute(new StoreCall.ListPage(listing, 1_000, null), 1);
    return ((StoreReply.Page) reply).entries();
  }

  private static void assertAgrees(String what, StoreReply actual, StoreReply expected) {
    assertThat(actual.getClass().getSimpleName())
        .as("%s, which should have been %s", what, expected)
        .isEqualTo(expected.getClass().getSimpleName());
    if (actual instanceof StoreReply.Applied applied) {
      assertThat(applied.state()).as(what).isEqualTo(((StoreReply.Applied) expected).state());
    } else if (actual instanceof StoreReply.Refused refused) {
      assertThat(refused.state()).as(what).isEqualTo(((StoreReply.Refused) expected).state());
    } else if (actual instanceof StoreReply.FoundAll found) {
      assertThat(found.states()).as(what).isEqualTo(((StoreReply.FoundAll) expected).states());
    } else if (actual instanceof StoreReply.Records found) {
      assertThat(found.records()).as(what).isEqualTo(((StoreReply.Records) expected).records());
    } else if (actual instanceof StoreReply.Cancelled cancelled) {
      List<Cause> causes = ((StoreReply.Cancelled) expected).causes();
      TransactionContract.assertTold(cancelled.causes(), causes);
    }
  }
}
