package dev.millrace.tests.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Load;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.BucketWorker;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Many callers on a tree in which one level is short. What was refused must not stay charged
 * anywhere, and no level admits more than its own limit allows.
 */
class AllOrNoneIT {
  private static final long GRAIN_MS = 100;
  private static final long LOAD_MS = 4_000;
  private static final String AMPLE = "rps:100000/sec";

  /** So short that a machine that is busy with other things exceeds it too. */
  private static final String SHORT = "rps:2/sec";

  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static DynamoDbClient client;
  private static String table;
  private static BlockingStore store;
  private static Tenants tenants;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
    store = DynamoStore.of(client, table);
    tenants = new Tenants(store);
  }

  @AfterAll
  static void close() {
    tenants.close();
    client.close();
  }

  /** Two keys under a team under an organisation; the named level is short. */
  private static List<String> tree(String unique, String shortLevel) {
    String org = "org-" + unique;
    String team = "team-" + unique;
    List<String> keys = List.of("key1-" + unique, "key2-" + unique);
    tenants.chain(keys.get(0), team, org);
    tenants
        .admin()
        .entities()
        .create(dev.millrace.admin.NewEntity.of(keys.get(1)).under(team).cascading());
    tenants.limits(org, shortLevel.equals("org") ? SHORT : AMPLE);
    tenants.limits(team, shortLevel.equals("team") ? SHORT : AMPLE);
    for (String key : keys) {
      tenants.limits(key, shortLevel.equals("key") ? SHORT : AMPLE);
    }
    List<String> all = new ArrayList<>(keys);
    all.add(team);
    all.add(org);
    return all;
  }

  /** What a bucket has counted; one that nobody was admitted to does not exist. */
  private static long countedMilli(String entity) {
    BucketState state = find(entity);
    return state == null ? 0 : rps(state).consumedMilli();
  }

  private static @Nullable BucketState find(String entity) {
    StoreReply reply =
        store.execute(new StoreCall.Read(Tenants.bucket(entity)), DEADLINE.toMillis());
    return ((StoreReply.Found) reply).state();
  }

  private static LimitState rps(BucketState state) {
    return Objects.requireNonNull(state.find("rps"));
  }

  private static void assertNothingLeftBehind(List<String> tree, long admittedMilli) {
    assertThat(countedMilli(tree.get(0)) + countedMilli(tree.get(1)))
        .as("counted by the keys")
        .isEqualTo(admittedMilli);
    assertThat(countedMilli(tree.get(2))).as("counted by the team").isEqualTo(admittedMilli);
    assertThat(countedMilli(tree.get(3)))
        .as("counted by the organisation")
        .isEqualTo(admittedMilli);
    for (String entity : tree) {
      BucketState state = find(entity);
      assertThat(state == null ? 0 : rps(state).tokensMilli()).isNotNegative();
    }
  }

  @ParameterizedTest
  @CsvSource({"key, PARALLEL", "team, PARALLEL", "org, PARALLEL", "org, TRANSACTIONAL"})
  void acquire_threadsAndAShortLevel_leaveNothingBehind(String level, Consistency consistency)
      throws Exception {
    List<String> tree = tree("threads-" + level + "-" + consistency, level);
    LimiterOptions options =
        LimiterOptions.builder().timeout(Duration.ofMinutes(1)).consistency(consistency).build();
    try (RateLimiter limiter = RateLimiter.create(store, options)) {
      Load load =
          Load.run(
              limiter,
              () ->
                  AcquireRequest.of(
                          tree.get(ThreadLocalRandom.current().nextInt(2)), Tenants.RESOURCE)
                      .consume("rps", 1),
              "rps",
              16,
              LOAD_MS);

      assertThat(load.refusals()).as("refusals").isPositive();
      assertThat(load.leastRetryAfterMs()).isPositive();
      assertNothingLeftBehind(tree, load.admissions().totalMilli());
      if (!level.equals("key")) {
        Limit limit = Tenants.limit(SHORT);
        assertThat(load.admissions().worstRatio(limit, GRAIN_MS, 0)).isLessThanOrEqualTo(1.0);
      }
    }
  }

  @Test
  void acquire_processesAndAShortOrganisation_leaveNothingBehind() throws Exception {
    List<String> tree = tree("processes", "org");
    List<BucketWorker.Job> jobs =
        List.of(
            job(tree.get(0), LOAD_MS),
            job(tree.get(0), LOAD_MS),
            job(tree.get(1), LOAD_MS),
            job(tree.get(1), LOAD_MS));

    BucketWorker.Result result = BucketWorker.runAll(jobs);

    assertThat(result.admissions().totalMilli()).isPositive();
    assertNothingLeftBehind(tree, result.admissions().totalMilli());
    assertThat(result.admissions().worstRatio(Tenants.limit(SHORT), GRAIN_MS, 0))
        .isLessThanOrEqualTo(1.0);
  }

  private static BucketWorker.Job job(String entity, long durationMs) {
    return new BucketWorker.Job(
        Dynamo.endpoint(),
        table,
        entity,
        BucketWorker.STORED,
        "rps",
        4,
        durationMs,
        /* clockOffsetMs= */ 0,
        /* correctClock= */ true);
  }

  /** A process that is killed leaves at most the requests behind that were under way. */
  @Test
  void acquire_processKilled_leavesAtMostWhatWasUnderWay() throws Exception {
    List<String> tree = tree("killed", "none");
    BucketWorker.Job job = job(tree.get(0), DEADLINE.toMillis());
    long underWayMilli = job.threads() * Limit.MILLI;

    BucketWorker.runAndKill(job, () -> countedMilli(tree.get(0)) > 10 * underWayMilli, DEADLINE);

    long key = countedMilli(tree.get(0));
    long team = countedMilli(tree.get(2));
    long org = countedMilli(tree.get(3));
    assertThat(Math.abs(key - team)).isLessThanOrEqualTo(underWayMilli);
    assertThat(Math.abs(team - org)).isLessThanOrEqualTo(underWayMilli);
    assertThat(Math.abs(key - org)).isLessThanOrEqualTo(underWayMilli);
  }
}
