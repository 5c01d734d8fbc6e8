package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.simulator.oracle.ExactBucket;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a simulation: one after another, through the same bad network, with the
 * production administration.
 */
final class Operators implements Endpoint {
  private static final long NANOS_PER_MS = 1_000_000;

  /** Fast enough not to be in the way: what is paced is tested elsewhere. */
  private static final int WRITES_PER_SECOND = 100_000;

  private final Loop loop;
  private final Table table;
  private final Chance chance;
  private final Coverage coverage;
  private final Trace trace;
  private final SimulatedTree tree;
  private final Changes changes;
  private final Accounts accounts;
  private final NamespaceAdmin admin;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private final Set<BucketKey> madeAnew = new HashSet<>();
  private @Nullable Action current;
  private long giftMilli;
  private int operations;

  /** Whether the last switch wrote the entity. */
  private boolean switchWrote;

  Operators(
      Loop loop,
      Table table,
      Network network,
      Chance chance,
      Coverage coverage,
      Trace trace,
      SimulatedTree tree,
      Changes changes,
      Accounts accounts,
      String namespace) {
    this.loop = loop;
    this.table = table;
    this.chance = chance.split("operators");
    this.coverage = coverage;
    this.trace = trace;
    this.tree = tree;
    this.changes = changes;
    this.accounts = accounts;
    Wire wire = new Wire(loop, this, table, network);

    this.admin = admin(new BlockingHalf(wire), namespace);
  }

  /** The administration on {@code store}, in virtual time. */
  NamespaceAdmin admin(BlockingStore store, String namespace) {
    return Admin.of(
            store,
            AdminOptions.builder("operator")
                .clockMs(table::trueMs)
                .pacer(this::pause)
                .random(new SplittableRandom(chance.next()))
                .concurrency(1)
                .timeout(Duration.ofSeconds(2))
                .maxWritesPerSecond(WRITES_PER_SECOND)
                .build())
        .in(namespace);
  }

  private void pause(long ms) throws InterruptedException {
    boolean unused = loop.await(new CompletableFuture<>(), ms * NANOS_PER_MS);
  }

  /** Does what is told, after what was told before. */
  void act(Action action) {
    CompletableFuture<Void> before = last;
    CompletableFuture<Void> done = new CompletableFuture<>();
    last = done;
    Fiber unused =
        loop.spawn(
            () -> {
              try {
                boolean ready = loop.await(before, Long.MAX_VALUE);
                if (ready) {
                  perform(action);
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts operators", e);
              } finally {
                done.complete(null);
              }
            });
  }

  boolean isIdle() {
    return last.isDone();
  }

  private void perform(Action action) {
    begins(action);
    Set<BucketKey> there = new HashSet<>();
    table.buckets().forEach(entry -> there.add(entry.getValue()));
    madeAnew.clear();
    current = action;
    giftMilli = 0;
    boolean known = true;
    try {
      change(action);
      trace.tell(loop.nowNanos(), "admin", operations, () -> "done: " + action);
    } catch (LimiterUnavailableException e) {
      known = false;
      coverage.saw(Event.CHANGE_FAILED);
      trace.tell(loop.nowNanos(), "admin", operations, () -> "failed: " + action + ": " + e);
    } catch (MillraceException e) {
      known = false;
      trace.tell(loop.nowNanos(), "admin", operations, () -> "refused: " + action + ": " + e);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw Violation.bug(action, e);
    }
    ends(action, known);
    if (known) {
      there.removeAll(madeAnew);
      requireArrived(action, there);
    }
  }

  /** Hears of a bucket that is made or deleted: operators who are at it may have missed it. */
  void madeAnew(BucketKey key) {
    madeAnew.add(key);
  }

  /** An operator gives what it was told to give, once, and nothing else. */
  void requireGift(TableWrite write) {
    BucketState before = write.before();
    BucketState after = write.after();
    if (before == null || after == null) {
      return;
    }
    for (LimitState limit : after.limits()) {
      LimitState old = before.find(limit.name());
      if (old != null) {
        long addedMilli =
            limit.tokensMilli() + limit.consumedMilli() - old.tokensMilli() - old.consumedMilli();
        long earnedMilli = ExactBucket.credit(before, old.limit(), after.refilledAtMs());
        requireGift(write.key(), limit.name(), addedMilli - earnedMilli);
      }
    }
  }

  private void requireGift(BucketKey key, String limit, long givenMilli) {
    if (givenMilli <= 0 || current instanceof Action.Reset) {
      return;
    }
    if (current instanceof Action.TopUp up && up.limit().equals(limit)) {
      giftMilli += givenMilli;
      if (giftMilli <= up.tokens() * Limit.MILLI) {
        return;
      }
    }
    throw new Violation(
        Promise.EXACT_REFILL,
        "gave " + givenMilli + " millitokens of '" + limit + "' to " + key + " by " + current);
  }

  /**
   * Every bucket that was there all the time follows a change before it is told to be done, with
   * all its shards, also those that were split off meanwhile.
   */
  private void requireArrived(Action action, Set<BucketKey> there) {
    for (Map.Entry<String, BucketKey> entry : table.buckets()) {
      BucketKey key = entry.getValue();
      BucketState state = there.contains(key.withShard(0)) ? table.state(key) : null;
      if (state == null) {
        continue;
      }
      if (action instanceof Action.ChangeLimits to
          && key.entityId().equals(to.entity())
          && key.resource().equals(to.resource())
          && !state.covers(to.limits())) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            "done, and the bucket has other limits: " + action + ": " + state);
      }
      if (action instanceof Action.Switch to
          && key.entityId().equals(to.entity())
          && state.stamp().disabled() == to.on()) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            "done, and the bucket is not switched: " + action + ": " + state);
      }
    }
  }

  private void change(Action action) {
    operations++;
    if (action instanceof Action.ChangeLimits to) {
      admin.limits().set(LimitTarget.entityResource(to.entity(), to.resource()), to.limits());
      coverage.saw(Event.LIMITS_CHANGED);
    } else if (action instanceof Action.ChangeLevel to) {
      admin.limits().set(to.target(), to.limits());
      coverage.saw(Event.LEVEL_CHANGED);
    } else if (action instanceof Action.Move move) {
      admin.entities().move(move.entity(), move.parent());
      coverage.saw(Event.ENTITY_MOVED);
    } else if (action instanceof Action.Switch to) {
      ChangeResult result =
          to.on()
              ? admin.entities().setDisabled(to.entity(), false)
              : admin.entities().setDisabled(to.entity(), true);
      switchWrote = result.changed();
      coverage.saw(to.on() ? Event.SWITCHED_ON : Event.SWITCHED_OFF);
    } else if (action instanceof Action.Reset reset) {
      admin.buckets().reset(reset.entity(), reset.resource(), "operation-" + operations);
      coverage.saw(Event.RESET);
    } else if (action instanceof Action.Resize resize) {
      boolean unused = admin.buckets().resize(resize.entity(), resize.resource(), resize.shards());
    } else if (action instanceof Action.TopUp up) {
      admin
          .buckets()
          .topUp(
              up.entity(),
              up.resource(),
              Map.of(up.limit(), up.tokens()),
              "operation-" + operations);
      coverage.saw(Event.TOPPED_UP);
    }
  }

  private void begins(Action action) {
    if (action instanceof Action.Resize) {
      return; // which changes nothing for anybody
    }
    changes.begin();
    if (action instanceof Action.Move move) {
      tree.moving(move.entity(), move.parent(), loop.nowNanos());
      accounts.moving(move.entity(), tree, loop.nowNanos());
    } else if (action instanceof Action.Switch to) {
      changes.switches().changing(to.entity(), to.on());
    } else if (action instanceof Action.ChangeLimits to) {
      changes.limits(to.entity(), to.resource(), null);
    }
  }

  private void ends(Action action, boolean known) {
    if (action instanceof Action.Resize) {
      return;
    }
    changes.end(loop.nowNanos());
    if (action instanceof Action.Move move) {
      tree.moved(move.entity(), known, loop.nowNanos());
    } else if (action instanceof Action.Switch to) {
      changes.switches().changed(to.entity(), to.on(), known, switchWrote, loop.nowNanos());
    } else if (action instanceof Action.ChangeLimits to && known) {
      changes.limits(to.entity(), to.resource(), to.limits());
    }
  }

  @Override
  public String name() {
    return "admin";
  }

  @Override
  public TableWrite.Source source() {
    return TableWrite.Source.OPERATOR;
  }

  @Override
  public Map<String, Long> uncheckedMilli(BucketKey key) {
    return Map.of();
  }

  @Override
  public Map<String, Long> givenBackMilli(BucketKey key) {
    return Map.of();
  }

  @Override
  public void saw(Event event) {
    coverage.saw(event);
  }

  @Override
  public boolean isAlive() {
    return true;
  }

  @Override
  public void requireAlive() {}

  @Override
  public Chance chance() {
    return chance;
  }

  @Override
  public long effectiveMs() {
    return table.trueMs();
  }

  @Override
  public void sent(StoreCall call) {}

  @Override
  public void heard(Sent sent, StoreReply reply) {}
}
