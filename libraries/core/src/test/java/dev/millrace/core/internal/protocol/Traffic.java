package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several processes that acquire, settle, acquire jointly and refresh on a few buckets, one call at
 * a time in any order, while limits and switches change, calls collide and answers are lost. It
 * keeps the books of what was admitted.
 */
final class Traffic {
  /** Most calls of one run: a conversation that does not end is a bug. */
  private static final int MAX_CALLS = 20_000;

  private static final List<BucketKey> KEYS =
      List.of(JointCase.key("a"), JointCase.key("b"), JointCase.key("c"));

  private final Gen gen;
  private final PureTable table = new PureTable();
  private final List<EffectiveLimits> history = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Supplier<String> ops = CommitCase.ops();
  private long nowMs = T;

  private final Map<BucketKey, BucketState> last = new HashMap<>();

  /** Least and most that can be counted as consumed, by bucket and limit. */
  private final Map<String, long[]> booksMilli = new HashMap<>();

  /** How many conversations ended how. */
  final Map<String, Integer> endings = new HashMap<>();

  Traffic(Gen gen) {
    this.gen = gen;
    changeLimits();
    for (int i = 0; i < 3; i++) {
      clients.add(new Client());
    }
  }

  /** Runs {@code conversations} to their end and checks the books after every call. */
  void run(int conversations) {
    int begun = 0;
    for (int calls = 0; calls < MAX_CALLS; calls++) {
      Client client = gen.pick(clients);
      nowMs += gen.oneIn(3) ? 0 : gen.scaled(400);
      if (client.step == null) {
        if (begun == conversations) {
          if (clients.stream().allMatch(other -> other.step == null)) {
            checkBooks();
            return;
          }
          continue;
        }
        begun++;
        client.begin();
      }
      client.advance();
      checkBuckets();
    }
    throw new AssertionError("conversations did not end");
  }

  /** One record more has changed, whichever. */
  private RecordVersions nextVersions() {
    RecordVersions last =
        history.isEmpty()
            ? RecordVersions.NONE
            : history.get(history.size() - 1).stamp().versions();
    int which = (int) gen.between(0, 4);
    return new RecordVersions(
        last.entity() + (which == 0 ? 1 : 0),
        last.entityResource() + (which == 1 ? 1 : 0),
        last.entityDefault() + (which == 2 ? 1 : 0),
        last.resource() + (which == 3 ? 1 : 0),
        last.system() + (which == 4 ? 1 : 0));
  }

  /** A later version: other limits, another level, or another switch; never other names. */
  private void changeLimits() {
    long perMinute = gen.pick(60L, 600L, 6_000L);
    Limit hard = Limit.perMinute("rpm", perMinute).withBurst(perMinute + gen.between(0, 60));
    Limit soft = Limit.perMinute("tpm", gen.pick(60L, 600L)).asSoft();
    ConfigLevel level =
        gen.pick(ConfigLevel.RESOURCE, ConfigLevel.ENTITY_RESOURCE, ConfigLevel.CALL);
    history.add(
        new EffectiveLimits(
            LimitSet.of(hard, soft), new ConfigStamp(level, nextVersions(), gen.oneIn(6))));
  }

  private final class Client {
    private final Map<BucketKey, BucketSnapshot> mirror = new HashMap<>();
    private int known = 0;
    private @Nullable Step<Runnable> step;

    void begin() {
      if (gen.oneIn(15)) {
        changeLimits();
      }
      if (gen.oneIn(10)) {
        known = history.size() - 1;
      }
      EffectiveLimits terms = history.get(known);
      step =
          switch ((int) gen.between(0, 9)) {
            case 0 -> refresh(gen.pick(KEYS));
            case 1, 2, 3, 4 -> joint(terms);
            default -> commit(gen.pick(KEYS), terms);
          };
    }

    void advance() {
      if (step instanceof Step.Ask<Runnable> ask) {
        step = ask.next().resume(List.of(answer(ask.calls().get(0))), nowMs);
      }
      if (step instanceof Step.Done<Runnable> done) {
        step = null;
        done.result().run();
      }
    }

    private Step<Runnable> refresh(BucketKey key) {
      known = history.size() - 1;
      ApplyConfigProtocol refresh =
          new ApplyConfigProtocol(key, history.get(known), PlanSettings.DEFAULT, ops);
      return Step.map(
          refresh.start(null, nowMs), result -> () -> ended("refresh " + result.kind()));
    }

    private Step<Runnable> commit(BucketKey key, EffectiveLimits terms) {
      List<BucketDemand> demands = new ArrayList<>();
      for (long i = gen.between(1, 4); i > 0; i--) {
        demands.add(
            gen.oneIn(3)
                ? BucketDemand.settle(amounts(terms, 0, gen.between(1, 50)))
                : BucketDemand.acquire(amounts(terms, gen.between(0, 40), gen.between(0, 50))));
      }
      CommitProtocol commit = new CommitProtocol(key, terms, demands, PlanSettings.DEFAULT, ops);
      return Step.map(
          commit.start(mirror.get(key), nowMs),
          result -> () -> committed(key, terms, demands, result));
    }

    private void committed(
        BucketKey key, EffectiveLimits terms, List<BucketDemand> demands, CommitResult result) {
      saw(key, result.snapshot());
      for (int i = 0; i < demands.size(); i++) {
        Outcome outcome = result.outcomes().get(i);
        ended("commit " + outcome.getClass().getSimpleName());
        boolean charged = outcome instanceof Outcome.Admitted || outcome instanceof Outcome.Settled;
        boolean settles = demands.get(i).kind() == BucketDemand.Kind.SETTLE;
        boolean maybe =
            outcome instanceof Outcome.Unavailable unavailable && unavailable.mayBeCharged();
        int again = settles ? result.trace().unknownOutcomes() : 0;
        int most = charged || maybe ? 1 + again : 0;
        book(key, demands.get(i).amounts(), charged ? 1 : 0, most);
        if (outcome instanceof Outcome.Outdated outdated) {
          assertThat(terms.stamp().isAtLeast(outdated.stamp())).isFalse();
          known = history.size() - 1;
        }
      }
    }

    private Step<Runnable> joint(EffectiveLimits terms) {
      List<Part> parts = new ArrayList<>();
      for (BucketKey key : KEYS) {
        if (parts.isEmpty() || gen.oneIn(2)) {
          parts.add(new Part(key, terms, amounts(terms, gen.between(0, 40), gen.between(0, 50))));
        }
      }
      List<@Nullable BucketSnapshot> seen = new ArrayList<>();
      parts.forEach(part -> seen.add(mirror.get(part.key())));
      TransactionProtocol commit = new TransactionProtocol(parts, PlanSettings.DEFAULT, ops);
      return Step.map(commit.start(seen, nowMs), result -> () -> jointly(parts, result));
    }

    private void jointly(List<Part> parts, TransactionProtocol.Result result) {
      TransactionProtocol.Outcome outcome = result.outcome();
      ended("joint " + outcome.getClass().getSimpleName());
      boolean charged = outcome instanceof TransactionProtocol.Outcome.Admitted;
      boolean maybe =
          outcome instanceof TransactionProtocol.Outcome.Unavailable lost && lost.mayBeCharged();
      for (int i = 0; i < parts.size(); i++) {
        saw(parts.get(i).key(), result.snapshots().get(i));
        book(parts.get(i).key(), parts.get(i).amounts(), charged ? 1 : 0, charged || maybe ? 1 : 0);
      }
      if (outcome instanceof TransactionProtocol.Outcome.Outdated) {
        known = history.size() - 1;
      }
    }

    private void saw(BucketKey key, @Nullable BucketSnapshot snapshot) {
      if (snapshot != null) {
        mirror.merge(
            key, snapshot, (a, b) -> BucketSnapshot.later(a, b, PlanSettings.DEFAULT.maxSkewMs()));
      }
    }
  }

  private StoreReply answer(StoreCall call) {
    if (call.writes() && gen.oneIn(12)) {
      return new StoreReply.NotApplied(Script.CONFLICT, Receipt.NONE);
    }
    if (gen.oneIn(40)) {
      return new StoreReply.NotApplied(Script.SLOW_DOWN, Receipt.NONE);
    }
    if (gen.oneIn(15)) {
      if (gen.oneIn(2)) {
        table.execute(call);
      }
      return new StoreReply.Unknown(Script.LOST, Receipt.NONE);
    }
    return table.execute(call);
  }

  private static Amounts amounts(EffectiveLimits terms, long rpm, long tpm) {
    return Amounts.ofMilli(terms.limits(), new long[] {rpm * Limit.MILLI, tpm * Limit.MILLI});
  }

  private void ended(String how) {
    endings.merge(how, 1, Integer::sum);
  }

  private void book(BucketKey key, Amounts amounts, int least, int most) {
    for (int i = 0; i < amounts.limits().size(); i++) {
      long[] books =
          booksMilli.computeIfAbsent(
              key.entityId() + "/" + amounts.limits().get(i).name(), name -> new long[2]);
      books[0] += least * amounts.milli(i);
      books[1] += most * amounts.milli(i);
    }
  }

  /**
   * Only soft limits are settled here, so nothing may take a hard one below zero, and nothing may
   * take from it at all while the bucket is off. Nobody takes a version back.
   */
  private void checkBuckets() {
    for (BucketKey key : KEYS) {
      BucketState state = table.get(key);
      if (state == null) {
        continue;
      }
      BucketState before = last.put(key, state);
      LimitState hard = hard(state);
      assertThat(hard.tokensMilli()).isNotNegative();
      if (state.stamp().disabled()) {
        assertThat(hard.consumedMilli())
            .isEqualTo(before == null ? 0 : hard(before).consumedMilli());
      }
      assertThat(before == null || state.stamp().isAtLeast(before.stamp())).isTrue();
    }
  }

  private static LimitState hard(BucketState state) {
    return Objects.requireNonNull(state.find("rpm"));
  }

  private void checkBooks() {
    for (BucketKey key : KEYS) {
      BucketState state = table.get(key);
      for (LimitState limit : state == null ? List.<LimitState>of() : state.limits()) {
        long[] books = booksMilli.getOrDefault(key.entityId() + "/" + limit.name(), new long[2]);
        assertThat(limit.consumedMilli()).isBetween(books[0], books[1]);
      }
    }
  }
}
