package dev.millrace.client.internal;

import dev.millrace.client.LimiterOptions;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Carries out conversations on the store's threads; no caller ever waits. */
final class AsyncRunner implements Runner {
  private final LimiterCore core;
  private final AsyncDriver driver;

  AsyncRunner(LimiterCore core, AsyncDriver driver) {
    this.core = core;
    this.driver = driver;
  }

  @Override
  public <R> CompletableFuture<R> run(Step<R> step) {
    return driver.run(step);
  }

  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public List<CompletableFuture<Outcome>> commitAll(List<Order> orders) {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(orders.size());
    for (Order order : orders) {
      outcomes.add(commit(order));
    }
    return outcomes;
  }

  @Override
  public <R> CompletableFuture<R> after(
      CompletableFuture<?> event, Supplier<CompletableFuture<R>> then) {
    return event.thenCompose(happened -> then.get());
  }

  @Override
  public CompletableFuture<Outcome> commit(Order order) {
    Bucket bucket = order.bucket();
    LimiterOptions options = core.options();
    long endsAtMs = options.time().elapsedMs() + options.timeout().toMillis();
    Member member = new Member(Member.Waiting.ASYNC, order, endsAtMs);
    if (!options.grouping()) {
      return driver
          .run(Batches.conversation(core, bucket, List.of(member)))
          .thenApply(result -> result.outcomes().get(0));
    }
    try {
      List<Member> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch);
      }
    } catch (Channel.FullException e) {
      return CompletableFuture.completedFuture(core.queueFull(bucket));
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
  public CompletableFuture<?> commitDetached(Order order) {
    Bucket bucket = order.bucket();
    Member member = new Member(Member.Waiting.DETACHED, order);
    core.settling().watchDetached(bucket, order.demand(), member);
    try {
      List<Member> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch);
      }
    } catch (Channel.FullException e) {
      member.tell(
          new Member.Turn.Ended(
              Batches.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return member.turn();
  }

  /** Carries out a batch, calls the next one, and tells the members. */
  void lead(Bucket bucket, List<Member> waiting) {
    List<Member> batch = core.riders().join(bucket, this, waiting);
    CompletableFuture<CommitResult> unused =
        started(bucket, batch)
            .whenComplete(
                (result, failure) -> {
                  core.relay().handOn(bucket); // first: the next write need not wait for callers
                  if (failure == null) {
                    Batches.tell(bucket, this, batch, result);
                  } else {
                    Batches.tellBroken(batch, Thrown.unwrapped(failure));
                  }
                });
  }

  private CompletableFuture<CommitResult> started(Bucket bucket, List<Member> batch) {
    try {
      return driver.run(Batches.conversation(core, bucket, batch));
    } catch (RuntimeException | Error broken) {
      return CompletableFuture.failedFuture(broken);
    }
  }
}
