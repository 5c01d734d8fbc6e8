package dev.millrace.server.process;

import dev.millrace.LimiterListener;
import dev.millrace.admin.Admin;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerLife;
import dev.millrace.server.adminapi.AdminApi;
import dev.millrace.server.adminapi.RegionLook;
import dev.millrace.server.config.Settled;
import dev.millrace.server.dashboard.Dashboard;
import dev.millrace.server.envoy.EnvoyFeature;
import dev.millrace.server.envoy.SeenBuckets;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.observability.ObservabilityFeature;
import dev.millrace.server.observability.Observation;
import dev.millrace.server.observability.Readiness;
import dev.millrace.server.openapi.OpenApi;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** What a server serves, and who hears its limiters for that. */
final class Features {
  private final Observation observation;
  private final SeenBuckets seen = new SeenBuckets();

  /** Features that count in {@code meters}. */
  Features(MeterRegistry meters, InstantSource clock) {
    this.observation = new Observation(meters, clock);
  }

  /** All features, in the order in which they are added. */
  List<Feature> all(Settled settled, Admin admin, RegionLook regions, ServerLife life) {
    Readiness readiness = Readiness.of(admin, life);
    return List.of(
        new ObservabilityFeature(observation.live(), readiness),
        new DataPlane(settled.leases(), life),
        new EnvoyFeature(settled.envoyMapping(), seen, readiness),
        new AdminApi(observation.live(), regions),
        new OpenApi(),
        new Dashboard());
  }

  /** Who hears what the limiter of {@code namespace} does. */
  List<LimiterListener> listeners(String namespace) {
    List<LimiterListener> all = new ArrayList<>(observation.listeners(namespace));
    all.add(seen.in(namespace));
    return all;
  }
}
