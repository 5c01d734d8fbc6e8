package dev.millrace.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import dev.millrace.AcquireRequest;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.SyncException;
import dev.millrace.regions.SyncListener;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.testkit.InMemoryStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The handler on a schedule, over a table in memory. */
class RegionsHandlerTest {
  private final InMemoryStore store = new InMemoryStore();
  private final AtomicLong clockMs = new AtomicLong(1_800_000_000_000L);
  private final AtomicLong ids = new AtomicLong();
  private final List<String> etagsAsked = new ArrayList<>();
  private final List<EncodedSnapshot> published = new ArrayList<>();
  private Runnable whenAsked = () -> {};

  private final SnapshotExchange place =
      new SnapshotExchange() {
        @Override
        public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
          published.add(snapshot);
          return new SnapshotExchange.PublishResult.Done();
        }

        @Override
        public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
          etagsAsked.add(String.valueOf(lastEtag));
          whenAsked.run();
          return lastEtag != null || published.isEmpty()
              ? new SnapshotExchange.FetchResult.NotModified()
              : new SnapshotExchange.FetchResult.Found(published.get(0), "etag");
        }
      };

  private RegionsHandler handler() {
    return new RegionsHandler(
        RegionExchange.of(
            store,
            "default",
            place,
            AllocationPolicy.DEFAULT,
            clockMs::get,
            () -> "id." + ids.incrementAndGet(),
            SyncListener.NONE,
            ActiveView.NONE));
  }

  private static Context context(int remainingMs) {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, args) ->
                method.getName().equals("getRemainingTimeInMillis") ? remainingMs : null);
  }

  @BeforeEach
  void share() {
    SharedLimit.declare(store);
    try (RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults())) {
      limiter.acquire(AcquireRequest.of("acme", "gpt-4").consume("rpm", 1)).close();
    }
  }

  @Test
  void handleRequest_scheduledEvent_isOneWindow() {
    Map<String, @Nullable Object> answer =
        handler().handleRequest(Map.of("source", "aws.events"), context(60_000));
    assertThat(answer)
        .containsEntry("region", "eu")
        .containsEntry("limits", 1)
        .containsEntry("overAdmissionBoundPpm", 0L);
    assertThat(published).hasSize(1);
  }

  @Test
  void handleRequest_warm_asksOnlyForWhatIsNew() {
    RegionsHandler handler = handler();
    handler.handleRequest(null, context(60_000));
    handler.handleRequest(null, context(60_000));
    handler.handleRequest(null, context(60_000));
    assertThat(etagsAsked).containsExactly("null", "null", "etag");
    handler().handleRequest(null, context(60_000));
    assertThat(etagsAsked.get(3)).as("a process that has just started").isEqualTo("null");
  }

  @Test
  void handleRequest_windowUnderWay_isSkipped() {
    RegionsHandler handler = handler();
    List<Map<String, @Nullable Object>> inner = new ArrayList<>();
    whenAsked = () -> inner.add(handler.handleRequest(null, context(60_000)));
    handler.handleRequest(null, context(60_000));
    assertThat(inner).hasSize(1);
    assertThat(inner.get(0)).containsOnlyKeys("skipped");
    whenAsked = () -> {};
    assertThat(handler.handleRequest(null, context(60_000))).containsKey("region");
  }

  @Test
  void handleRequest_windowTakesTooLong_isBrokenOffAndTellsNothing() {
    RegionsHandler handler = handler();
    whenAsked = () -> clockMs.addAndGet(10_000);
    assertThatThrownBy(() -> handler.handleRequest(null, context(12_000)))
        .isInstanceOf(SyncException.class)
        .hasMessageContaining("longer than it may");
    assertThat(published).isEmpty();
    whenAsked = () -> {};
    assertThat(handler.handleRequest(null, context(12_000))).containsKey("region");
  }

  @Test
  void handleRequest_functionThatMayTakeNoTime_isRefused() {
    assertThatThrownBy(() -> handler().handleRequest(null, context(7_000)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must be more than 8 s");
    assertThat(etagsAsked).isEmpty();
  }

  @Test
  void fromEnvironment_leastThatIsNeeded_restHasDefaults() {
    RegionsSettings settings =
        RegionsSettings.fromEnvironment(
            Map.of("MILLRACE_TABLE", "limits", "MILLRACE_EXCHANGE", "s3://b/p"));
    assertThat(settings.namespace()).isEqualTo("default");
    assertThat(settings.policy().windowMs()).isEqualTo(60_000);
    assertThatThrownBy(
            () ->
                RegionsSettings.fromEnvironment(
                    Map.of(
                        "MILLRACE_TABLE", "limits",
                        "MILLRACE_EXCHANGE", "s3://b/p",
                        "MILLRACE_WINDOW_SECONDS", "soon")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("MILLRACE_WINDOW_SECONDS 'soon' must be a whole number");
    assertThatThrownBy(() -> RegionsSettings.fromEnvironment(Map.of("MILLRACE_TABLE", "limits")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the environment variable MILLRACE_EXCHANGE is not set");
  }
}
