package dev.millrace.server.adminapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import dev.millrace.server.ApiClient;
import dev.millrace.server.ApiClient.Answer;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Scope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AdminApiTest {
  private static final String RPM_100 = "{'limits':[{'name':'rpm','rate':100,'per':'PT1M'}]}";

  @RegisterExtension static final ApiServer SERVER = new ApiServer();

  private final String namespace = SERVER.freshNamespace();
  private final ApiClient api = SERVER.client();
  private final String base = "/v1/namespaces/" + namespace;
  private final String bucket = base + "/buckets/key-1/gpt";

  private void makeBucket() throws Exception {
    api.send("PUT", base + "/resources/gpt/limits", RPM_100).expect(200);
    try (Lease lease =
        SERVER
            .parts()
            .limiters()
            .in(namespace)
            .acquire(AcquireRequest.of("key-1", "gpt").consume("rpm", 60))) {
      assertThat(lease.isDegraded()).isFalse();
    }
  }

  @Test
  void namespace_createdDeletedRecovered_isInThatState() throws Exception {
    api.send("POST", "/v1/namespaces", "{'name':'prod'}").expect(201);
    api.send("POST", "/v1/namespaces", "{'name':'prod'}").expect(409);
    assertThat(api.get("/v1/namespaces?pageSize=100").at("/items"))
        .extracting(item -> item.get("name").asText())
        .contains("prod");

    api.send("DELETE", "/v1/namespaces/prod", null).expect(200);
    assertThat(api.get("/v1/namespaces/prod").at("/state").asText()).isEqualTo("deleted");

    api.send("POST", "/v1/namespaces/prod/recover", null).expect(200);
    assertThat(api.get("/v1/namespaces/prod").at("/state").asText()).isEqualTo("active");
    assertThat(api.get("/v1/namespaces/prod/status").expect(200).at("/state").asText())
        .isEqualTo("active");
  }

  @Test
  void callerOfOneNamespace_asksForAnother_isRefusedAndTold403() throws Exception {
    String other = SERVER.freshNamespace();
    SERVER.calledBy(new Caller("bob", Set.of(Scope.ADMIN), namespace));

    api.get(base + "/entities").expect(200);
    assertThat(api.get("/v1/namespaces/" + other + "/entities").expect(403).at("/type").asText())
        .endsWith("other-namespace");
    api.send("POST", "/v1/namespaces", "{'name':'mine'}").expect(403);
    assertThat(api.get("/v1/namespaces").at("/items"))
        .extracting(item -> item.get("name").asText())
        .containsExactly(namespace);
    assertThat(api.get("/v1/me").at("/namespace").asText()).isEqualTo(namespace);
  }

  @Test
  void callerWhoMayRead_changesSomething_isRefusedAndNothingIsWritten() throws Exception {
    SERVER.calledBy(new Caller("eve", Set.of(Scope.READ), null));

    api.send("PUT", base + "/entities/acme", "{}").expect(403);
    api.send("PUT", base + "/limits", RPM_100).expect(403);
    api.get(base + "/entities/acme").expect(404);
    api.get(base + "/limits").expect(404);
  }

  @Test
  void change_byACaller_isInTheAuditUnderItsName() throws Exception {
    api.send("PUT", base + "/entities/acme", "{}").expect(201);

    Answer audit = api.get(base + "/audit?entity=acme").expect(200);

    assertThat(audit.at("/items/0/actor").asText()).isEqualTo("alice");
    assertThat(api.get(base + "/audit").at("/items")).isNotEmpty();
    api.get(base + "/audit?entity=acme&resource=gpt").expect(400);
  }

  @Test
  void live_callerOfOneNamespace_seesOnlyItsTops() throws Exception {
    assertThat(api.get("/v1/live").expect(200).at("/consumers")).hasSize(2);

    SERVER.calledBy(new Caller("bob", Set.of(Scope.READ), "default"));

    assertThat(api.get("/v1/live").at("/consumers")).hasSize(1);
    assertThat(api.get("/v1/live").at("/consumers/0/entity").asText()).isEqualTo("acme");
  }

  @Test
  void switch_entityOffAndOn_isSo() throws Exception {
    api.send("PUT", base + "/entities/acme", "{}").expect(201);
    String path = base + "/switches/entities/acme";

    api.send("PUT", path, "{'disabled':true}").expect(200);
    assertThat(api.get(path).at("/disabled").asBoolean()).isTrue();
    api.send("PUT", path, "{'disabled':false}").expect(200);
    assertThat(api.get(path).at("/disabled").asBoolean()).isFalse();
    assertThat(api.send("PUT", path, "{}").expect(400).at("/field").asText()).isEqualTo("disabled");
  }

  @Test
  void switch_resourceOff_isSo() throws Exception {
    String path = base + "/switches/resources/gpt";
    assertThat(api.get(path).expect(200).at("/disabled").asBoolean()).isFalse();

    api.send("PUT", path, "{'disabled':true}").expect(200);

    assertThat(api.get(path).at("/disabled").asBoolean()).isTrue();
  }

  @Test
  void bucket_get_hasItsShards() throws Exception {
    api.get(bucket).expect(404);
    makeBucket();

    Answer found = api.get(bucket).expect(200);

    assertThat(found.at("/shards").asInt()).isEqualTo(1);
    assertThat(found.at("/parts/0/limits/0/consumedMilli").asLong()).isEqualTo(60_000);
    assertThat(api.get(base + "/entities/key-1/buckets").at("/items")).hasSize(1);
    assertThat(api.get(base + "/resources/gpt/buckets").at("/totals/rpm/buckets").asInt())
        .isEqualTo(1);
  }

  @Test
  void bucket_toppedUpTwiceUnderOneId_isToppedUpOnce() throws Exception {
    makeBucket();
    String body = "{'operation':'op-1','amounts':{'rpm':10}}";
    long before = available();

    assertThat(api.send("POST", bucket + "/top-up", body).expect(200).at("/doneBefore").asBoolean())
        .isFalse();
    assertThat(api.send("POST", bucket + "/top-up", body).expect(200).at("/doneBefore").asBoolean())
        .isTrue();

    assertThat(available()).isBetween(before + 10_000, before + 19_999);
  }

  private long available() throws Exception {
    return api.get(bucket).at("/limits/0/availableMilli").asLong();
  }

  @Test
  void bucket_reset_isFull() throws Exception {
    makeBucket();

    api.send("POST", bucket + "/reset", "{'operation':'op-2','limits':['rpm']}").expect(200);

    assertThat(available()).isEqualTo(100_000);
    api.send("POST", bucket + "/reset", "{}").expect(400);
  }

  @Test
  void bucket_resized_saysHowManyShardsThereShouldBe() throws Exception {
    makeBucket();

    api.send("PUT", bucket + "/shards", "{'shards':4}").expect(200);
    assertThat(api.get(bucket).at("/targetShards").asInt()).isEqualTo(4);
    api.send("PUT", bucket + "/shards", "{'shards':3}").expect(400);
    api.send("PUT", bucket + "/shards", "{'shards':4294967297}").expect(400);
  }

  @Test
  void usage_nothingCounted_isEmptyAndMissingParametersAreNamed() throws Exception {
    assertThat(api.get(base + "/usage?entity=a&resource=gpt&window=day").expect(200).at("/items"))
        .isEmpty();
    assertThat(api.get(base + "/usage?resource=gpt").expect(400).at("/field").asText())
        .isEqualTo("entity");
    api.get(base + "/usage?entity=a&resource=gpt&window=week").expect(400);
    assertThat(api.get(base + "/usage/top?resource=gpt&limit=rpm").expect(200).at("/items"))
        .isEmpty();
  }

  @Test
  void jobs_noneUnfinished_areNoneAndUnknownOnesAreNotFound() throws Exception {
    assertThat(api.get(base + "/jobs").expect(200).at("/items")).isEmpty();
    api.get(base + "/jobs/20260101000000000-0000000000000000").expect(404);
  }

  @Test
  void regions_namespaceShares_tellsWithWhom() throws Exception {
    assertThat(api.get(base + "/regions").expect(200).at("/shared").asBoolean()).isFalse();

    var unused =
        new RegionOperations(SERVER.parts().admin().in(namespace), AllocationPolicy.DEFAULT)
            .found("eu", List.of("eu", "us"));

    Answer shared = api.get(base + "/regions?entity=acme&resource=gpt").expect(200);
    assertThat(shared.at("/region").asText()).isEqualTo("eu");
    assertThat(shared.at("/regions")).hasSize(2);
    api.get(base + "/regions?entity=acme").expect(400);
  }

  @Test
  void unknownNamespace_isNotFound() throws Exception {
    Answer refused = api.get("/v1/namespaces/nowhere/entities").expect(404);

    assertThat(refused.at("/type").asText()).isEqualTo("urn:millrace:problem:unknown-namespace");
    assertThat(refused.body().toString()).contains("nowhere");
  }
}
