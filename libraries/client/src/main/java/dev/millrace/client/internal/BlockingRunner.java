package dev.millrace.client.internal;

import dev.millrace.client.LimiterOptions;
import dev.millrace.client.Threads;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out conversations on the caller's thread. Callers of one bucket take turns: one leads,
 * the others follow, and no thread but theirs is needed.
 */
final class BlockingRunner implements Runner {
  private final LimiterOptions options;
  private final BlockingDriver driver;
  private final GroupCommit groupCommit;
  private final Relay relay;
  private final PendingSettlements pending;
  private final Threads threads;
  private final @Nullable Budget budget;

  /** The caller's place in a wait line, null for one that does not wait for tokens. */
  private final @Nullable Waiter waiter;

  BlockingRunner(
      LimiterOptions options,
      BlockingDriver driver,
      GroupCommit groupCommit,
      Relay relay,
      PendingSettlements pending) {
    this.options = options;
    this.driver = driver;
    this.groupCommit = groupCommit;
    this.relay = relay;
    this.pending = pending;
    this.threads = options.threads();
    this.budget = null;
    this.waiter = null;
  }

  private BlockingRunner(BlockingRunner like, @Nullable Budget budget, @Nullable Waiter waiter) {
    this.options = like.options;
    this.driver = like.driver;
    this.groupCommit = like.groupCommit;
    this.relay = like.relay;
    this.pending = like.pending;
    this.threads = like.threads;
    this.budget = budget;
    this.waiter = waiter;
  }

  @Override
  public BlockingRunner within(Budget limited) {
    return new BlockingRunner(this, limited, waiter);
  }

  /** The same for a caller in a wait line, which may leave together with others. */
  BlockingRunner of(Waiter caller) {
    return new BlockingRunner(this, budget, caller);
  }

  @Override
  public Budget budget() {
    return budget == null ? Budget.of(options) : budget;
  }

  @Override
  public <R> CompletableFuture<R> run(Step<R> step) {
    return CompletableFuture.completedFuture(driver.run(step, budget()));
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public <R> CompletableFuture<R> after(
      CompletableFuture<?> event, Supplier<CompletableFuture<R>> then) {
    boolean unused = Aside.await(threads, event, budget().endsAtNanos());
    return then.get();
  }

  @Override
  public List<CompletableFuture<Outcome>> commitAll(List<Order> orders) {
    long endsAtNanos = budget().endsAtNanos();
    List<Aside> others = new ArrayList<>(orders.size() - 1);
    for (int i = 1; i < orders.size(); i++) {
      others.add(aside(orders.get(i)));
    }
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(orders.size());
    try {
      outcomes.add(commit(orders.get(0)));
    } catch (RuntimeException | Error broken) {
      outcomes.add(CompletableFuture.failedFuture(broken));
    }
    for (Aside other : others) {
      outcomes.add(other.outcome(endsAtNanos)); // one time limit for all of them
    }
    return outcomes;
  }

  /** By the asynchronous half of the store when there is one, else by a helper's thread. */
  private Aside aside(Order order) {
    AsyncRunner async = relay.async();
    return async != null && options.grouping()
        ? new Aside(async, order, async.within(budget()).commit(order), threads, pending)
        : new Aside(this, order, byHelper(order), threads, pending);
  }

  private CompletableFuture<Outcome> byHelper(Order order) {
    Bucket bucket = order.bucket();
    Member member = new Member(Member.Waiting.ASIDE, order);
    List<Member> batch;
    try {
      batch = bucket.channel().submit(member);
    } catch (Channel.FullException e) {
      return CompletableFuture.completedFuture(groupCommit.queueFull(bucket));
    }
    if (batch != null) {
      relay.leadAside(this, bucket, batch);
    }
    return member
        .turn()
        .thenApply(
            turn -> {
              if (turn instanceof Member.Turn.Ended ended) {
                return ended.outcome();
              }
              throw Thrown.unchecked(((Member.Turn.Broken) turn).cause());
            });
  }

  @Override
  public CompletableFuture<Outcome> commit(Order order) {
    return CompletableFuture.completedFuture(outcome(order));
  }

  private Outcome outcome(Order order) {
    Bucket bucket = order.bucket();
    Member member = new Member(Member.Waiting.BLOCKING, order, waiter);
    if (!options.grouping()) {
      return driver
          .run(groupCommit.conversation(bucket, List.of(member)), budget())
          .outcomes()
          .get(0);
    }
    List<Member> batch;
    try {
      batch = bucket.channel().submit(member);
    } catch (Channel.FullException e) {
      return groupCommit.queueFull(bucket);
    } finally {
      if (waiter != null) {
        waiter.arrived();
      }
    }
    if (batch != null) {
      return lead(bucket, batch, member);
    }
    Member.Turn turn = follow(bucket, member);
    if (turn instanceof Member.Turn.Ended ended) {
      return ended.outcome();
    }
    if (turn instanceof Member.Turn.Lead lead) {
      return lead(bucket, lead.batch(), member);
    }
    throw Thrown.unchecked(((Member.Turn.Broken) turn).cause());
  }

  /**
   * Waits to be told, but no longer than a decision may take. An interrupt ends the wait of who
   * asks; who settles waits on, because what a call has cost must not be lost.
   */
  private Member.Turn follow(Bucket bucket, Member member) {
    long endsAtNanos = budget().endsAtNanos();
    boolean interrupted = false;
    try {
      while (true) { // ends: with the time that a decision may take
        try {
          return threads.await(member.turn(), endsAtNanos - threads.nanoTime())
              ? member.turn().join() // is done: does not wait
              : gaveUp(bucket, member, StoreFailure.Kind.TIMED_OUT);
        } catch (InterruptedException e) {
          interrupted = true;
          if (member.demand().kind() != Demand.Kind.SETTLE) {
            return gaveUp(bucket, member, StoreFailure.Kind.INTERRUPTED);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Member.Turn gaveUp(Bucket bucket, Member member, StoreFailure.Kind reason) {
    Member.Turn told = GroupCommit.abandon(bucket, member);
    return told instanceof Member.Turn.Abandoned abandoned
        ? new Member.Turn.Ended(groupCommit.gaveUp(bucket, member, abandoned, reason))
        : told;
  }

  /** Carries out a batch, calls the next one, and tells the followers; returns what is our own. */
  private Outcome lead(Bucket bucket, List<Member> waiting, Member self) {
    List<Member> batch = waiting;
    CommitResult result;
    try {
      batch = groupCommit.withRiders(bucket, waiting);
      result = driver.run(groupCommit.conversation(bucket, batch), budget());
    } catch (RuntimeException | Error broken) {
      try {
        relay.handOn(bucket);
      } finally {
        GroupCommit.tellBroken(batch, broken);
      }
      throw broken;
    }
    try {
      relay.handOn(bucket); // before anything else: the next write need not wait for us
    } finally {
      GroupCommit.tell(bucket, this, batch, result);
    }
    return result.outcomes().get(batch.indexOf(self));
  }

  @Override
  public CompletableFuture<?> commitDetached(Order order) {
    Bucket bucket = order.bucket();
    Member member = new Member(Member.Waiting.DETACHED, order);
    pending.watch(bucket, order.demand(), member.outcome());
    try {
      List<Member> batch = bucket.channel().submit(member);
      if (batch != null) {
        leadForNobody(bucket, batch);
        relay.handOn(bucket);
      }
    } catch (Channel.FullException e) {
      member.tell(
          new Member.Turn.Ended(
              GroupCommit.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return member.turn();
  }

  /** Carries out a batch for which no thread waits that could lead it. */
  void leadForNobody(Bucket bucket, List<Member> waiting) {
    List<Member> batch = waiting;
    try {
      batch = groupCommit.withRiders(bucket, waiting);
      // Others have given it to whichever thread this is: its own time does not count.
      Budget whole = Budget.of(options);
      CommitResult result = driver.run(groupCommit.conversation(bucket, batch), whole);
      GroupCommit.tell(bucket, this, batch, result);
    } catch (RuntimeException | Error broken) {
      GroupCommit.tellBroken(batch, broken);
    }
  }
}
