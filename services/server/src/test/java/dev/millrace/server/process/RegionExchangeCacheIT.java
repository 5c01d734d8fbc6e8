package dev.millrace.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import dev.millrace.server.config.ServerSettings;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** The state of the exchange between regions, over a real server of S3's protocol. */
class RegionExchangeCacheIT {
  private static final String NAMESPACE = "default";
  private static final S3Location PLACE = S3Location.parse("s3://sync/prod");

  private final EmbeddedS3 s3 = EmbeddedS3.start();
  private final S3Client client = new AwsClients(s3.endpoint(), null).s3();
  private final InMemoryStore eu = new InMemoryStore();
  private final InMemoryStore us = new InMemoryStore();
  private final AtomicLong nanos = new AtomicLong();
  private Admin admin;
  private RegionExchangeCache look;

  @BeforeEach
  void found() {
    client.createBucket(bucket -> bucket.bucket("sync"));
    admin = founded(eu, "eu");
    look =
        new RegionExchangeCache(
            admin,
            eu,
            new ServerSettings.Exchange(PLACE, s3.endpoint(), "eu-central-1"),
            nanos::get);
  }

  @AfterEach
  void close() {
    look.close();
    admin.close();
    client.close();
    s3.close();
  }

  private static Admin founded(InMemoryStore store, String region) {
    Admin admin = Admin.of(store, AdminOptions.of("test"));
    new RegionOperations(admin.in(NAMESPACE), AllocationPolicy.DEFAULT)
        .found(region, List.of("eu", "us"));
    return admin;
  }

  @Test
  void at_otherHasPublished_tellsTheAgeOfItsSnapshot() {
    assertThat(ages()).containsEntry("us", null);
    publishUs();
    assertThat(ages()).as("a look is kept for a while").containsEntry("us", null);
    nanos.addAndGet(RegionExchangeCache.MAX_AGE.toNanos() + 1);
    assertThat((Long) ages().get("us")).isBetween(0L, 60_000L);
  }

  @Test
  void at_placeIsAway_tellsTheRegionAndNoAge() {
    s3.stop();
    try {
      assertThat(Objects.requireNonNull(look.state(NAMESPACE))).containsEntry("region", "eu");
      assertThat(ages()).containsEntry("us", null);
    } finally {
      s3.resume();
    }
  }

  @Test
  void at_namespaceThatSharesNothing_isNull() {
    admin.namespaces().register("alone");
    assertThat(look.state("alone")).isNull();
  }

  @SuppressWarnings("unchecked")
  private Map<String, @Nullable Object> ages() {
    return (Map<String, @Nullable Object>)
        Objects.requireNonNull(Objects.requireNonNull(look.state(NAMESPACE)).get("agesMs"));
  }

  private void publishUs() {
    try (Admin other = founded(us, "us")) {
      S3Regions.open(
              us,
              other.in(NAMESPACE).regions().namespaceId(),
              client,
              PLACE,
              AllocationPolicy.DEFAULT,
              SyncListener.NONE,
              ActiveView.NONE)
          .cycle();
    }
  }
}
