package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Pricing;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.protocol.JointCommit.Outcome;
import dev.millrace.core.protocol.JointCommit.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What follows from what is known of all buckets of a joint commit at one instant. */
final class JointDecision {
  private final List<Part> parts;
  private final JointViews views;
  private final WriteChoice choice;
  private final PlanSettings settings;
  private final int attempts;
  private final long nowMs;

  private final List<Projection> projections;
  private final boolean[] tooLate;

  /** Judges every part. */
  JointDecision(
      List<Part> parts, JointViews views, PlanSettings settings, int attempts, long nowMs) {
    this.parts = parts;
    this.views = views;
    this.choice = new WriteChoice(settings);
    this.settings = settings;
    this.attempts = attempts;
    this.nowMs = nowMs;
    this.projections = new ArrayList<>(parts.size());
    this.tooLate = new boolean[parts.size()];
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Sighting sighting = views.get(i).sighting();
      BucketState state =
          sighting == null
              ? BucketState.full(part.key().withShard(0), part.terms(), nowMs)
              : sighting.state();
      tooLate[i] = sighting != null && choice.isTooLate(state, part.terms(), attempts, nowMs);
      projections.add(choice.project(state, part.terms(), tooLate[i], nowMs));
    }
  }

  /** The parts to look at again because they say no and were not seen just now, and their like. */
  List<Integer> doubtful() {
    List<Integer> untrusted = new ArrayList<>(0);
    boolean doubt = false;
    for (int i = 0; i < parts.size(); i++) {
      if (!views.get(i).isTrusted(nowMs)) {
        untrusted.add(i);
        doubt |= saysNo(i);
      }
    }
    return doubt ? untrusted : List.of();
  }

  private boolean saysNo(int index) {
    Projection projection = projections.get(index);
    return projection.isOutdated()
        || projection.isSilent()
        || projection.isDisabled()
        || !projection.fits(parts.get(index).amounts());
  }

  /** Why not, or null when every part can be taken. */
  @Nullable Outcome refusal() {
    List<Integer> gone = gone();
    if (!gone.isEmpty()) {
      return new Outcome.Gone(gone);
    }
    List<Integer> outdated = new ArrayList<>(0);
    int disabled = -1;
    boolean exceeded = false;
    for (int i = 0; i < parts.size(); i++) {
      Projection projection = projections.get(i);
      if (projection.isDisabled()) {
        disabled = disabled < 0 ? i : disabled;
      } else if (projection.isOutdated()
          || (!parts.get(i).mayCreate()
              && (views.get(i).sighting() == null || projection.isSilent()))) {
        outdated.add(i);
      } else {
        exceeded |= !projection.fits(parts.get(i).amounts());
      }
    }
    if (!outdated.isEmpty()) {
      return new Outcome.Outdated(outdated);
    }
    if (disabled >= 0) {
      return new Outcome.Disabled(disabled);
    }
    return exceeded ? new Outcome.Rejected(rejection()) : null;
  }

  /** The parts whose shard is not there: it is never made here, its share is another one's. */
  private List<Integer> gone() {
    List<Integer> gone = new ArrayList<>(0);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).key().shard() != 0 && views.get(i).sighting() == null) {
        gone.add(i);
      }
    }
    return gone;
  }

  private Rejection rejection() {
    List<LimitStatus> statuses = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      statuses.addAll(projections.get(i).statuses(parts.get(i).amounts()));
    }
    return new Rejection(statuses);
  }

  /**
   * One part's write.
   *
   * @param part the index of the part
   * @param plannedAtMs when it was planned
   */
  record Planned(int part, WritePlan plan, long plannedAtMs) {}

  /**
   * The writes that take all parts.
   *
   * @param readFirst the parts to read before, because their lock would surely be lost
   */
  record Plans(List<Planned> writes, List<Integer> readFirst) {}

  /**
   * Plans the writes that take all parts; a part from which nothing is taken and that needs no
   * repair has none. Where somebody has surely written since, a read comes first.
   */
  Plans plan(Supplier<String> ops) {
    List<Planned> writes = new ArrayList<>(parts.size());
    List<Integer> readFirst = new ArrayList<>(0);
    for (int i = 0; i < parts.size(); i++) {
      Projection projection = projections.get(i);
      projection.take(parts.get(i).amounts());
      if (projection.isEmpty()) {
        continue;
      }
      Sighting sighting = views.get(i).sighting();
      WritePlan plan =
          sighting == null
              ? Planner.create(projection, ops.get())
              : choice.choose(sighting, projection, tooLate[i], nowMs, ops.get());
      if (plan == null) {
        readFirst.add(i);
      } else {
        writes.add(new Planned(i, priced(plan, sighting), nowMs));
      }
    }
    return new Plans(writes, readFirst);
  }

  /** In a transaction a write costs twice as much, and those that were refused were billed too. */
  private WritePlan priced(WritePlan plan, @Nullable Sighting from) {
    int units = 2 * (1 + attempts) * (from == null ? 1 : from.writeUnits());
    return Pricing.priced(plan, from == null ? null : from.state(), units, settings.writeUnits());
  }
}
