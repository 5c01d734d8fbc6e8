package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Each call is of exactly one sort. */
class CallsTest {
  private static final StoreCall READ = new StoreCall.Read(Samples.bucket("a"));
  private static final StoreCall READ_ALL = new StoreCall.ReadAll(List.of(Samples.bucket("a")));
  private static final StoreCall WRITE = Samples.write("a");
  private static final StoreCall TRANSACTION = Samples.transaction("t", "a");
  private static final StoreCall LOOKUP =
      new StoreCall.Lookup(List.of(Samples.entity("a")), /* consistent= */ true);
  private static final StoreCall LIST = new StoreCall.ListPage(new Listing.AllItems(), 1, null);
  private static final StoreCall ERASE =
      new StoreCall.Erase(List.of(Samples.bucket("a")), List.of());

  private static List<StoreCall> matching(Predicate<StoreCall> matches) {
    return List.of(READ, READ_ALL, WRITE, TRANSACTION, LOOKUP, LIST, ERASE).stream()
        .filter(matches)
        .toList();
  }

  @Test
  void predicates_everyCall_areOfOneSort() {
    assertThat(matching(Calls.any())).hasSize(7);
    assertThat(matching(Calls.reads())).containsExactly(READ, READ_ALL);
    assertThat(matching(Calls.writes())).containsExactly(WRITE);
    assertThat(matching(Calls.transactions())).containsExactly(TRANSACTION);
    assertThat(matching(Calls.lookups())).containsExactly(LOOKUP);
    assertThat(matching(Calls.listings())).containsExactly(LIST);
    assertThat(matching(Calls.erasures())).containsExactly(ERASE);
  }

  @Test
  void predicates_ofAKind_matchOnlyIt() {
    assertThat(matching(Calls.writes(WritePlan.Adjust.class))).containsExactly(WRITE);
    assertThat(matching(Calls.writes(WritePlan.Create.class))).isEmpty();
    assertThat(matching(Calls.lookupsOf(Samples.entity("a")))).containsExactly(LOOKUP);
    assertThat(matching(Calls.lookupsOf(Samples.entity("b")))).isEmpty();
  }
}
