package dev.millrace.testkit;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.internal.RealTime;
import dev.millrace.testkit.internal.StageFailures;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * A store to which faults happen, by script or by rule. The first rule that matches a call decides;
 * a call that none matches goes through.
 *
 * <pre>{@code
 * FaultyStore store = FaultyStore.over(new InMemoryStore())
 *     .once(Fault.throttle())                              // the next call
 *     .once(Calls.writes(), Fault.loseReply())             // the next write after it
 *     .always(call -> random.nextInt(100) == 0, Fault.unreachable());
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class FaultyStore implements BlockingStore, AsyncStore {
  private final BlockingStore blocking;
  private final AsyncStore async;
  private final List<Rule> rules = new ArrayList<>();

  private FaultyStore(BlockingStore blocking, AsyncStore async) {
    this.blocking = blocking;
    this.async = async;
  }

  /** Around a store that is both. */
  public static <S extends BlockingStore & AsyncStore> FaultyStore over(S store) {
    return new FaultyStore(store, store);
  }

  /** Around the two ports of one store. */
  public static FaultyStore over(BlockingStore blocking, AsyncStore async) {
    return new FaultyStore(blocking, async);
  }

  /** {@code fault} happens to the next call that no earlier rule matches. */
  public FaultyStore once(Fault fault) {
    return once(Calls.any(), fault);
  }

  /** {@code fault} happens to the next call of that sort. */
  public FaultyStore once(Predicate<? super StoreCall> matches, Fault fault) {
    return rule(new Rule(matches, fault, /* once= */ true));
  }

  /** {@code fault} happens to every call of that sort. */
  public FaultyStore always(Predicate<? super StoreCall> matches, Fault fault) {
    return rule(new Rule(matches, fault, /* once= */ false));
  }

  /** From now on nothing happens any more. */
  public void heal() {
    synchronized (rules) {
      rules.clear();
    }
  }

  /** How many rules are left: 0 when a script was played to its end. */
  public int rulesLeft() {
    synchronized (rules) {
      return rules.size();
    }
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return await(
        faultFor(call)
            .around(
                call, () -> CompletableFuture.completedFuture(blocking.execute(call, timeoutMs))));
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return faultFor(call).around(call, () -> async.executeAsync(call, timeoutMs));
    } catch (RuntimeException | AssertionError e) {
      return CompletableFuture.failedFuture(e); // a hook threw
    }
  }

  private FaultyStore rule(Rule rule) {
    synchronized (rules) {
      rules.add(rule);
    }
    return this;
  }

  private Fault faultFor(StoreCall call) {
    synchronized (rules) {
      for (Iterator<Rule> all = rules.iterator(); all.hasNext(); ) {
        Rule rule = all.next();
        if (rule.matches.test(call)) {
          if (rule.once) {
            all.remove();
          }
          return rule.fault;
        }
      }
    }
    return Fault.none();
  }

  private static StoreReply await(CompletionStage<StoreReply> stage) {
    try {
      return stage.toCompletableFuture().get(RealTime.MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new StoreReply.Unknown(
          new StoreFailure(StoreFailure.Kind.INTERRUPTED, e), Receipt.NONE);
    } catch (TimeoutException e) {
      throw new AssertionError("a call was held back and its gate never opened", e);
    } catch (ExecutionException e) {
      throw StageFailures.unchecked(e.getCause());
    }
  }

  private record Rule(Predicate<? super StoreCall> matches, Fault fault, boolean once) {}
}
