package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entities, their parents and their limits, as the operators of a simulation know them: the
 * model against which it is judged which buckets a request may charge.
 */
final class SimulatedTree {
  private final String namespace;
  private final long believedNanos;
  private final Map<String, Place> places = new LinkedHashMap<>();

  /** Limits by entity and resource; those of call are told with every request. */
  private final Map<String, LimitSet> limits = new LinkedHashMap<>();

  /** The present and former parents of an entity. */
  private static final class Place {
    @Nullable String parent;

    /** Where it may still be, and until when: of a move that failed nobody knows. */
    final Map<String, Long> former = new LinkedHashMap<>();
  }

  /**
   * One bucket of a request.
   *
   * @param milli what is asked of it
   * @param sure whether it must be charged; while an entity moves, either parent may be
   */
  record Part(BucketKey key, Map<String, Long> milli, boolean sure) {}

  /**
   * A tree.
   *
   * @param believedNanos how long a process may go by what it looked up
   */
  SimulatedTree(String namespace, long believedNanos) {
    this.namespace = namespace;
    this.believedNanos = believedNanos;
  }

  void entity(String entity, @Nullable String parent) {
    Place place = new Place();
    place.parent = parent;
    places.put(entity, place);
  }

  void limits(String entity, String resource, LimitSet set) {
    limits.put(entity + "/" + resource, set);
  }

  @Nullable LimitSet limits(String entity, String resource) {
    return limits.get(entity + "/" + resource);
  }

  Set<String> entities() {
    return places.keySet();
  }

  @Nullable String parent(String entity) {
    Place place = places.get(entity);
    return place == null ? null : place.parent;
  }

  /** A move begins: from now on nobody knows. */
  void moving(String entity, @Nullable String to, long nowNanos) {
    Place place = places.get(entity);
    if (place != null) {
      place.former.values().removeIf(until -> until <= nowNanos);
      if (place.parent != null) {
        place.former.put(place.parent, Long.MAX_VALUE);
      }
      place.parent = to;
    }
  }

  /** A move has ended, well or not. */
  void moved(String entity, boolean known, long nowNanos) {
    Place place = places.get(entity);
    if (place != null && known) {
      // A limiter that looked before may believe for as long as this what it saw.
      place.former.replaceAll((parent, until) -> Math.min(until, nowNanos + believedNanos));
    }
  }

  /** The buckets of a request of {@code entity} for {@code tokens} of each resource. */
  List<Part> parts(String entity, Map<String, Map<String, Long>> tokens, long nowNanos) {
    List<Part> parts = new ArrayList<>();
    tokens.forEach((resource, wanted) -> add(parts, entity, resource, wanted, nowNanos));
    return parts;
  }

  /** An entity and everybody above it, also those whom it may just be leaving. */
  Set<String> chain(String entity, long nowNanos) {
    Map<String, Boolean> drawn = new LinkedHashMap<>();
    climb(drawn, entity, true, nowNanos);
    return drawn.keySet();
  }

  private void add(
      List<Part> parts, String entity, String resource, Map<String, Long> wanted, long nowNanos) {
    Map<String, Boolean> drawn = new LinkedHashMap<>();
    climb(drawn, entity, true, nowNanos);
    drawn.forEach(
        (drawnOn, sure) -> {
          LimitSet set = limits(drawnOn, resource);
          if (set == null) {
            return;
          }
          Map<String, Long> milli = new HashMap<>();
          for (Limit limit : set) {
            Long amount = wanted.get(limit.name());
            if (amount != null) {
              milli.put(limit.name(), amount * Limit.MILLI);
            }
          }
          if (!milli.isEmpty()) {
            parts.add(new Part(BucketKey.first(namespace, drawnOn, resource), milli, sure));
          }
        });
  }

  private void climb(
      Map<String, Boolean> drawn, @Nullable String entity, boolean sure, long nowNanos) {
    Set<String> seen = new LinkedHashSet<>();
    String at = entity;
    boolean certain = sure;
    while (at != null && seen.add(at)) { // ends: nobody is visited twice
      drawn.merge(at, certain, (a, b) -> a || b);
      Place place = places.get(at);
      if (place == null) {
        return;
      }
      for (Map.Entry<String, Long> former : place.former.entrySet()) {
        if (former.getValue() > nowNanos) {
          certain = false;
          if (!former.getKey().equals(place.parent)) {
            climb(drawn, former.getKey(), /* sure= */ false, nowNanos);
          }
        }
      }
      at = place.parent;
    }
  }
}
