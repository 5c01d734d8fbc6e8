package dev.millrace.aggregator.sim;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A store whose answers get lost, whose callers die, and behind whose back others write. */
final class UnreliableUsage implements UsageStore {
  private static final UsageReply LOST =
      new UsageReply.Failed(new StoreFailure(StoreFailure.Kind.TIMED_OUT, null));

  private final RandomGenerator random;
  private final UsageStore store;
  private final Runnable meanwhile;

  /** The end of a worker's process. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  UnreliableUsage(RandomGenerator random, UsageStore store, Runnable meanwhile) {
    this.random = random;
    this.store = store;
    this.meanwhile = meanwhile;
  }

  @Override
  public UsageReply apply(UsageWrite write) {
    if (Gen.oneIn(random, 200)) {
      meanwhile.run();
    }
    if (Gen.oneIn(random, 2_000)) {
      throw new Crash();
    }
    if (Gen.oneIn(random, 25)) {
      return LOST;
    }
    UsageReply reply = store.apply(write);
    if (Gen.oneIn(random, 2_000)) {
      throw new Crash();
    }
    return Gen.oneIn(random, 25) ? LOST : reply;
  }

  @Override
  public List<UsageItem> find(List<UsageKey> keys) {
    return store.find(keys);
  }

  @Override
  public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
    return store.list(listing, limit, cursor);
  }
}
