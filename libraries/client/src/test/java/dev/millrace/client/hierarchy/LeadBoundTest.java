package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A caller's thread carries out at most one write for others once its own answer is known. */
class LeadBoundTest {
  private final HierarchyBench bench = new HierarchyBench();

  private static Predicate<StoreCall> writesOf(String entity) {
    return call -> call instanceof StoreCall.Write write && write.key().entityId().equals(entity);
  }

  @Test
  void acquire_othersQueueAgainAndAgain_isAnsweredAfterOneWriteForThem() throws Exception {
    bench.directory.chain("slow", "slow-1");
    bench.directory.add("team", null);
    for (int i = 0; i < 3; i++) {
      bench.directory.add("key" + i, "team");
    }
    bench.directory.system(rpm(1_000));
    BlockingStore blocks = (call, timeoutMs) -> bench.calls.execute(call, timeoutMs); // no futures
    try (RateLimiter limiter =
        RateLimiter.create(blocks, bench.options().maxLegThreads(1).build())) {
      limiter.acquire(request("slow", 1));
      limiter.acquire(request("team", 1));
      for (int i = 0; i < 3; i++) {
        limiter.acquire(request("key" + i, 1));
      }
      Gate busy = new Gate();
      bench.faults.once(writesOf("slow-1"), Fault.holdReply(busy));
      Background<Lease> slow = Background.begin(() -> limiter.acquire(request("slow", 1)));
      busy.awaitArrivals(1); // the only helper
      List<Gate> gates = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        gates.add(new Gate());
        bench.faults.once(writesOf("team"), Fault.holdReply(gates.get(i)));
      }

      Background<Lease> leader = Background.begin(() -> limiter.acquire(request("team", 1)));
      gates.get(0).awaitArrivals(1);
      List<Background<Lease>> keys = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int key = i;
        keys.add(Background.begin(() -> limiter.acquire(request("key" + key, 1))));
        gates.get(i).open(); // the write under way ends, and that of this key begins
        gates.get(i + 1).awaitArrivals(1);
      }

      Await.result(leader.result());
      assertThat(keys.get(2).result()).as("its write is under way").isNotDone();
      gates.get(3).open();
      busy.open();
      keys.forEach(one -> Await.result(one.result()));
      Await.result(slow.result());
      assertThat(bench.consumed("team")).isEqualTo(1 + 3 + 1 + 3);
    }
  }
}
