package dev.millrace.proving.soak;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The entities of a soak and their ancestors: four keys under two teams under one organisation, and
 * somebody who draws on nobody. Every bucket has a fast limit and a slow one.
 *
 * <p>The rates are low, and each level allows less than its children together: whatever the disk
 * makes of the database, every level refuses often, and what the others were charged has to be
 * given back.
 */
public final class World {
  /** The one resource. */
  public static final String RESOURCE = "api";

  /** The fast limit. */
  public static final String FAST = "rps";

  /** The slow limit. */
  public static final String SLOW = "tpm";

  /** Those that draw on a team and on the organisation. */
  public static final List<String> KEYS = List.of("key-1", "key-2", "key-3", "key-4");

  /** The one that draws on nobody, so that it can be served from tokens taken ahead. */
  public static final String SOLO = "solo-1";

  private static final List<String> TEAMS = List.of("team-1", "team-2");
  private static final String ORGANISATION = "org-1";

  /** A busy disk is not the subject. */
  private static final Duration SET_UP_TIMEOUT = Duration.ofMinutes(1);

  private World() {}

  /** Registers everybody, and stores the limits. */
  static void setUp(BlockingStore store) {
    AdminOptions options = AdminOptions.builder("soak").timeout(SET_UP_TIMEOUT).build();
    try (Admin admin = Admin.of(store, options)) {
      NamespaceAdmin world = admin.in(LimiterOptions.DEFAULT_NAMESPACE);
      world.entities().create(NewEntity.of(ORGANISATION));
      for (String team : TEAMS) {
        world.entities().create(NewEntity.of(team).under(ORGANISATION).cascading());
      }
      for (String key : KEYS) {
        world.entities().create(NewEntity.of(key).under(teamOf(key)).cascading());
      }
      world.entities().create(NewEntity.of(SOLO));
      // The keys have those of the resource, the others their own.
      world.limits().set(LimitTarget.resource(RESOURCE), limits("rps:2/sec:6", "tpm:300/min:50"));
      for (String team : TEAMS) {
        world.limits().set(own(team), limits("rps:3/sec:9", "tpm:420/min:70"));
      }
      world.limits().set(own(ORGANISATION), limits("rps:4/sec:12", "tpm:540/min:90"));
      world.limits().set(own(SOLO), limits("rps:250/sec:500", "tpm:30000/min:1000"));
    }
  }

  private static LimitTarget own(String entity) {
    return LimitTarget.entityResource(entity, RESOURCE);
  }

  private static LimitSet limits(String... limits) {
    return LimitSet.of(Arrays.stream(limits).map(LimitNotation::parse).toList());
  }

  private static String teamOf(String key) {
    return TEAMS.get(KEYS.indexOf(key) % TEAMS.size());
  }

  /** Everybody that a request of {@code entity} is charged to, itself first. */
  static List<String> chain(String entity) {
    return entity.equals(SOLO) ? List.of(SOLO) : List.of(entity, teamOf(entity), ORGANISATION);
  }

  /** Everybody. */
  static List<String> entities() {
    List<String> all = new ArrayList<>(KEYS);
    all.addAll(TEAMS);
    all.add(ORGANISATION);
    all.add(SOLO);
    return all;
  }

  /** What a request of {@code entity} for these whole tokens means for every account. */
  public static List<AccountAmount> postings(String entity, Map<String, Long> tokens) {
    List<AccountAmount> postings = new ArrayList<>();
    for (String charged : chain(entity)) {
      tokens.forEach(
          (limit, amount) ->
              postings.add(
                  new AccountAmount(new Account(bucket(charged), limit), amount * Limit.MILLI)));
    }
    return postings;
  }

  /** The name of a bucket in journals. */
  public static String bucket(BucketKey key) {
    return key.entityId() + "/" + key.resource();
  }

  static String bucket(String entity) {
    return entity + "/" + RESOURCE;
  }

  static BucketKey key(String entity) {
    return BucketKey.first(LimiterOptions.DEFAULT_NAMESPACE, entity, RESOURCE);
  }
}
