package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.TransferRows;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.regions.internal.snapshot.SnapshotHeader;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotRefusal;
import dev.millrace.regions.internal.snapshot.SnapshotRow;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import dev.millrace.s3.internal.S3SnapshotExchange;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Snapshots on a real server of S3's protocol. */
class S3SnapshotExchangeIT {
  private static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");

  private static S3Server server;

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @Test
  void fetch_published_isFoundOnceAndThenNotModified() throws IOException {
    S3SnapshotExchange exchange = exchange("once");
    assertThat(exchange.fetch("eu", null)).isEqualTo(new SnapshotExchange.FetchResult.Missing());
    assertThat(exchange.publish("eu", snapshot("eu", 1)))
        .isEqualTo(new SnapshotExchange.PublishResult.Done());

    SnapshotExchange.FetchResult.Found found =
        (SnapshotExchange.FetchResult.Found) exchange.fetch("eu", null);
    assertThat(read("eu", found)).isInstanceOf(SnapshotReadResult.Accepted.class);
    assertThat(exchange.fetch("eu", found.etag()))
        .isEqualTo(new SnapshotExchange.FetchResult.NotModified());

    exchange.publish("eu", snapshot("eu", 2));
    SnapshotExchange.FetchResult.Found next =
        (SnapshotExchange.FetchResult.Found) exchange.fetch("eu", found.etag());
    assertThat(next.etag()).isNotEqualTo(found.etag());
    assertThat(server.names("once/")).containsExactly("once/eu/snapshot.json");
    assertThat(server.unzipped("once/eu/snapshot.json")).startsWith("{\"version\":1,");
  }

  /** What a window costs: one PUT for each region, and one GET for each of the others. */
  @Test
  void exchange_threeRegions_onePutAndTwoGetsEach() throws IOException {
    S3SnapshotExchange exchange = exchange("cost");
    List<String> regions = List.of("ap", "eu", "us");
    Map<String, String> etags = new HashMap<>();
    for (int window = 1; window <= 3; window++) {
      int puts = server.puts();
      int gets = server.gets();
      for (String region : regions) {
        exchange.publish(region, snapshot(region, window));
      }
      for (String region : regions) {
        for (String other : regions) {
          if (!other.equals(region)) {
            SnapshotExchange.FetchResult.Found found =
                (SnapshotExchange.FetchResult.Found)
                    exchange.fetch(other, etags.get(region + other));
            etags.put(region + other, found.etag());
          }
        }
      }
      assertThat(server.puts() - puts).isEqualTo(3);
      assertThat(server.gets() - gets).isEqualTo(6);
    }
  }

  @Test
  void fetch_objectThatIsNoSnapshot_isFoundAndRefusedByTheReader() throws IOException {
    server
        .client()
        .putObject(
            p -> p.bucket(S3Server.BUCKET).key("odd/eu/snapshot.json"),
            RequestBody.fromString("hello"));
    SnapshotExchange.FetchResult.Found found =
        (SnapshotExchange.FetchResult.Found) exchange("odd").fetch("eu", null);
    assertThat(((SnapshotReadResult.Refused) read("eu", found)).refusal())
        .isIn(SnapshotRefusal.MALFORMED, SnapshotRefusal.TRUNCATED);
  }

  @Test
  void fetch_othersSnapshotUnderTheName_isRefusedByTheReader() throws IOException {
    S3SnapshotExchange exchange = exchange("wrong");
    exchange.publish("eu", snapshot("us", 1));
    SnapshotExchange.FetchResult.Found found =
        (SnapshotExchange.FetchResult.Found) exchange.fetch("eu", null);
    assertThat(((SnapshotReadResult.Refused) read("eu", found)).refusal())
        .isEqualTo(SnapshotRefusal.WRONG_REGION);
  }

  @Test
  void anything_bucketOrServerIsAway_isAValue() throws IOException {
    S3SnapshotExchange nowhere =
        new S3SnapshotExchange(server.client(), S3Location.parse("s3://nowhere/x"));
    assertThat(nowhere.publish("eu", snapshot("eu", 1)))
        .isInstanceOf(SnapshotExchange.PublishResult.Failed.class);
    assertThat(nowhere.fetch("eu", null)).isInstanceOf(SnapshotExchange.FetchResult.Failed.class);
    try (S3Client dead =
        S3Client.builder()
            .endpointOverride(URI.create("http://127.0.0.1:1"))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
            .overrideConfiguration(S3Regions.clientConfiguration())
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .forcePathStyle(true)
            .build()) {
      S3SnapshotExchange away = new S3SnapshotExchange(dead, S3Location.parse("s3://kept/x"));
      assertThat(away.publish("eu", snapshot("eu", 1)))
          .isInstanceOf(SnapshotExchange.PublishResult.Failed.class);
      assertThat(away.fetch("eu", null))
          .isInstanceOfSatisfying(
              SnapshotExchange.FetchResult.Failed.class,
              failed -> assertThat(failed.message()).contains("'eu' at s3://kept/x/"));
    }
  }

  private static SnapshotReadResult read(String region, SnapshotExchange.FetchResult.Found found)
      throws IOException {
    return SnapshotReader.read(
        region, found.snapshot(), new SnapshotSink.PeerSink(new PeerView(), 0));
  }

  private static EncodedSnapshot snapshot(String region, long sequence) throws IOException {
    return EncodedSnapshot.of(
        new SnapshotHeader(region, sequence, 1_800_000_000_000L, 10_000, List.of(), 1),
        List.of(new SnapshotRow(KEY, 5_000, 1_000, 6_000_000, 500_000, 0, TransferRows.NONE)));
  }

  private static S3SnapshotExchange exchange(String prefix) {
    return new S3SnapshotExchange(
        server.client(), S3Location.parse("s3://" + S3Server.BUCKET + "/" + prefix));
  }
}
