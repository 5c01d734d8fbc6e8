package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.protocol.CommitResult.Trace;
import dev.millrace.core.protocol.JointCommit.Part;
import dev.millrace.core.protocol.JointDecision.Planned;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a joint commit knows of all its buckets on the way. Each answer of the store makes a new
 * one.
 */
record JointViews(List<PartView> views) {
  JointViews {
    views = List.copyOf(views);
  }

  /** What is known before anything was asked. */
  static JointViews of(List<@Nullable Sighting> known, Set<Integer> absent) {
    List<PartView> views = new ArrayList<>(known.size());
    for (int i = 0; i < known.size(); i++) {
      Sighting sighting = known.get(i);
      views.add(sighting == null && absent.contains(i) ? PartView.absent() : PartView.of(sighting));
    }
    return new JointViews(views);
  }

  PartView get(int part) {
    return views.get(part);
  }

  /** The parts of which nothing can be said without looking. */
  List<Integer> cold() {
    List<Integer> cold = new ArrayList<>(0);
    for (int i = 0; i < views.size(); i++) {
      if (views.get(i).sighting() == null && !views.get(i).sure()) {
        cold.add(i);
      }
    }
    return cold;
  }

  JointViews read(
      List<Integer> which,
      List<Part> parts,
      Map<BucketKey, BucketState> found,
      long nowMs,
      PlanSettings settings) {
    List<PartView> after = new ArrayList<>(views);
    for (int i : which) {
      after.set(i, views.get(i).read(found.get(parts.get(i).key()), nowMs, settings));
    }
    return new JointViews(after);
  }

  JointViews committed(List<Planned> planned, long nowMs, PlanSettings settings) {
    List<PartView> after = new ArrayList<>(views);
    for (Planned write : planned) {
      after.set(write.part(), views.get(write.part()).committed(write, nowMs, settings));
    }
    return new JointViews(after);
  }

  JointViews cancelled(
      StoreReply.Cancelled reply, List<Planned> planned, long nowMs, PlanSettings settings) {
    List<PartView> after = new ArrayList<>(views);
    for (int i = 0; i < planned.size(); i++) {
      int part = planned.get(i).part();
      after.set(part, views.get(part).cancelled(reply.causes().get(i), nowMs, settings));
    }
    return new JointViews(after);
  }

  JointViews lostAnswer(List<Planned> planned) {
    List<PartView> after = new ArrayList<>(views);
    for (Planned write : planned) {
      after.set(write.part(), views.get(write.part()).lostAnswer());
    }
    return new JointViews(after);
  }

  /** What was seen may have been changed by us or not: it is better not relied on. */
  JointViews forgotten() {
    return new JointViews(views.stream().map(PartView::forgotten).toList());
  }

  JointCommit.Result result(JointCommit.Outcome outcome) {
    List<@Nullable Sighting> sightings = new ArrayList<>(views.size());
    List<Trace> traces = new ArrayList<>(views.size());
    for (PartView view : views) {
      sightings.add(view.sighting());
      traces.add(view.trace());
    }
    return new JointCommit.Result(outcome, sightings, traces);
  }
}
