package dev.millrace.client.hierarchy;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.client.support.Directory;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Entities in a tree, each with some limits of the same few names, and requests of theirs. It knows
 * by itself which buckets a request draws on, independently of the code under test.
 */
final class RandomTree {
  static final List<String> RESOURCES = List.of("r0", "r1");
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int MAX_ENTITIES = 10;
  private static final long MAX_CAPACITY = 60;

  private final List<String> entities = new ArrayList<>();
  private final Map<String, @Nullable String> parents = new HashMap<>();
  private final Map<String, Boolean> cascades = new ConcurrentHashMap<>();
  private final Map<String, List<Limit>> limits = new ConcurrentHashMap<>();
  private final Set<String> off = new HashSet<>();

  /**
   * A tree.
   *
   * @param everyLimit whether everybody has every limit, so that everybody has buckets
   */
  RandomTree(RandomGenerator random, Directory directory, boolean everyLimit) {
    int count = 2 + random.nextInt(MAX_ENTITIES - 1);
    for (int i = 0; i < count; i++) {
      String id = "e" + i;
      String parent = i == 0 || Gen.oneIn(random, 6) ? null : parent(random, i);
      entities.add(id);
      parents.put(id, parent);
      cascades.put(id, !Gen.oneIn(random, 5));
      directory.add(id, parent);
      directory.cascade(id, cascades.get(id));
      List<Limit> own = limits(random, everyLimit);
      limits.put(id, own);
      if (!own.isEmpty()) {
        directory.entity(id, own.toArray(Limit[]::new));
      }
    }
  }

  /** Mostly the last one, so that chains grow long. */
  private static String parent(RandomGenerator random, int before) {
    return "e" + (Gen.oneIn(random, 2) ? before - 1 : random.nextInt(before));
  }

  private static List<Limit> limits(RandomGenerator random, boolean everyLimit) {
    List<Limit> own = new ArrayList<>();
    for (String name : NAMES) {
      if (everyLimit || !Gen.oneIn(random, 3)) {
        own.add(Limit.perDay(name, 1 + random.nextLong(MAX_CAPACITY)));
      }
    }
    return own;
  }

  /** Changes something about somebody: the parent, whether it draws on it, a limit, the switch. */
  void change(RandomGenerator random, Directory directory) {
    int which = random.nextInt(entities.size());
    String id = entities.get(which);
    switch (random.nextInt(4)) {
      case 0 -> {
        String parent = which == 0 || Gen.oneIn(random, 4) ? null : parent(random, which);
        parents.put(id, parent);
        directory.move(id, parent);
      }
      case 1 -> {
        cascades.put(id, random.nextBoolean());
        directory.cascade(id, cascades.get(id));
      }
      case 2 -> {
        List<Limit> changed = new ArrayList<>();
        for (Limit limit : limits(id)) {
          changed.add(Limit.perDay(limit.name(), 1 + random.nextLong(MAX_CAPACITY)));
        }
        limits.put(id, changed);
        if (!changed.isEmpty()) {
          directory.entity(id, changed.toArray(Limit[]::new));
        }
      }
      default -> {
        boolean on = off.remove(id) || !Gen.oneIn(random, 3);
        directory.switchEntity(id, on);
        if (!on) {
          off.add(id);
        }
      }
    }
  }

  /** Switches everybody on. */
  void switchAllOn(Directory directory) {
    off.forEach(id -> directory.switchEntity(id, true));
    off.clear();
  }

  /** A request of somebody who has limits; null when it hit somebody who has none. */
  @Nullable AcquireRequest request(RandomGenerator random) {
    String entity = Gen.oneOf(random, entities);
    List<Limit> own = limits(entity);
    if (own.isEmpty()) {
      return null;
    }
    AcquireRequest request = AcquireRequest.of(entity, RESOURCES.get(0));
    boolean any = false;
    for (Limit limit : own) {
      if (!any || random.nextBoolean()) {
        request = request.consume(limit.name(), random.nextLong(5));
        any = true;
      }
    }
    return Gen.oneIn(random, 3)
        ? request.and(RESOURCES.get(1), Gen.oneOf(random, NAMES), random.nextLong(3))
        : request;
  }

  private List<Limit> limits(String entity) {
    return limits.getOrDefault(entity, List.of());
  }

  /** Every bucket and limit that a request of {@code entity} for {@code resource} draws on. */
  List<Map.Entry<BucketKey, String>> drawnOn(String entity, String resource, String limit) {
    Map<BucketKey, String> drawn = new LinkedHashMap<>();
    String at = entity;
    while (at != null) { // ends: parents were made before their children
      if (limits(at).stream().anyMatch(own -> own.name().equals(limit))) {
        drawn.put(HierarchyBench.key(at, resource), limit);
      }
      at = Boolean.TRUE.equals(cascades.get(at)) ? parents.get(at) : null;
    }
    return List.copyOf(drawn.entrySet());
  }

  List<String> entities() {
    return List.copyOf(entities);
  }
}
