package dev.millrace.server.adminapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.server.ApiClient;
import dev.millrace.server.ApiClient.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitRoutesTest {
  private static final String RPM_100 = "{'limits':[{'name':'rpm','rate':100,'per':'PT1M'}]}";
  private static final String RPM_5 = "{'limits':[{'name':'rpm','rate':5,'per':'PT1M'}]}";

  @RegisterExtension static final ApiServer SERVER = new ApiServer();

  private final String namespace = SERVER.freshNamespace();
  private final ApiClient api = SERVER.client();
  private final String base = "/v1/namespaces/" + namespace;
  private final String ofResource = base + "/resources/gpt/limits";
  private final String ofKey = base + "/entities/key-1/resources/gpt/limits";

  private void acquire(String entity, String resource) {
    try (Lease lease =
        SERVER
            .parts()
            .limiters()
            .in(namespace)
            .acquire(AcquireRequest.of(entity, resource).consume("rpm", 1))) {
      assertThat(lease.isDegraded()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/limits",
        "/resources/gpt/limits",
        "/resources/openai%2Fgpt-4.1/limits",
        "/entities/key-1/limits",
        "/entities/key-1/resources/gpt/limits"
      })
  void everyLevel_setThenDeleted_isThereAndThenNot(String level) throws Exception {
    api.get(base + level).expect(404);

    Answer set =
        api.send(
                "PUT",
                base + level,
                "{'limits':[{'name':'rpm','rate':100,'per':'PT1M','burst':200,'soft':true}]}")
            .expect(200);
    assertThat(set.at("/changed").asBoolean()).isTrue();

    Answer stored = api.get(base + level).expect(200);
    assertThat(stored.at("/limits/0/text").asText()).isEqualTo("rpm:100/min:200:soft");
    if (level.contains("%2F")) {
      assertThat(stored.at("/resource").asText()).isEqualTo("openai/gpt-4.1");
    }

    api.send("DELETE", base + level, null).expect(200);
    api.get(base + level).expect(404);
  }

  @Test
  void set_otherPeriodThanWeakerLevel_isRefusedUnlessAllowed() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);
    String hourly = "{'limits':[{'name':'rpm','rate':100,'per':'PT1H'}]%s}";

    Answer refused = api.send("PUT", ofKey, hourly.formatted("")).expect(409);
    assertThat(refused.at("/reason").asText()).isEqualTo("OTHER_PERIOD");

    api.send("PUT", ofKey, hourly.formatted(",'allowOtherPeriod':true")).expect(200);
  }

  @Test
  void set_badLimit_namesFieldValueAndRule() throws Exception {
    Answer refused =
        api.send("PUT", ofResource, "{'limits':[{'name':'rpm','rate':'many'}]}").expect(400);

    assertThat(refused.at("/field").asText()).isEqualTo("limits[0].rate");
    assertThat(refused.at("/detail").asText()).contains("'many'", "whole number");
  }

  @Test
  void preview_ofResource_tellsWhoFollowsAndWritesNothing() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);
    api.send("PUT", ofKey, RPM_100).expect(200);
    acquire("key-1", "gpt"); // has limits of its own, so is not affected
    acquire("key-2", "gpt");

    Answer seen = api.send("PUT", ofResource + "?preview=true", RPM_5).expect(200);

    assertThat(seen.at("/buckets").asInt()).isEqualTo(1);
    assertThat(seen.at("/complete").asBoolean()).isTrue();
    assertThat(seen.at("/sample/0/entity").asText()).isEqualTo("key-2");
    assertThat(seen.at("/sample/0/before/0/text").asText()).isEqualTo("rpm:100/min");
    assertThat(seen.at("/sample/0/after/0/text").asText()).isEqualTo("rpm:5/min");
    assertThat(api.get(ofResource).at("/limits/0/text").asText()).isEqualTo("rpm:100/min");
  }

  @Test
  void preview_ofDeletion_tellsWhatHoldsThen() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);
    api.send("PUT", ofKey, RPM_5).expect(200);
    acquire("key-1", "gpt");

    Answer seen = api.send("DELETE", ofKey + "?preview=true", null).expect(200);

    assertThat(seen.at("/sample/0/levelBefore").asText()).isEqualTo("entity+resource");
    assertThat(seen.at("/sample/0/levelAfter").asText()).isEqualTo("resource");
    assertThat(seen.at("/sample/0/after/0/text").asText()).isEqualTo("rpm:100/min");
    api.get(ofKey).expect(200);
  }

  @Test
  void preview_moreWasUsedThanTheNewLimit_tellsTheHour() throws Exception {
    long now = SERVER.parts().clock().millis();
    String id = SERVER.parts().admin().in(namespace).regions().namespaceId();
    var unused =
        SERVER
            .parts()
            .usage()
            .apply(
                new UsageWrite(
                    UsageKey.at(id, "key-1", "gpt", Window.HOUR, now),
                    Map.of("rpm", 900_000L),
                    1,
                    new UsageWrite.InOrder(
                        Map.of(
                            0, new UsageWrite.Run(SequenceNumber.of("1"), SequenceNumber.of("1")))),
                    UsageWrite.NEVER));

    Answer seen = api.send("PUT", ofKey + "?preview=true", RPM_5).expect(200);

    assertThat(seen.at("/refused/0/usedMilli").asLong()).isEqualTo(900_000);
    assertThat(seen.at("/refused/0/mostMilli").asLong()).isEqualTo(305_000);
  }

  @Test
  void set_existingBucket_followsBeforeTheAnswer() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);
    acquire("key-1", "gpt");

    Answer set = api.send("PUT", ofResource, RPM_5).expect(200);

    assertThat(set.at("/buckets/changed").asInt()).isEqualTo(1);
    Answer bucket = api.get(base + "/buckets/key-1/gpt").expect(200);
    assertThat(bucket.at("/limits/0/text").asText()).isEqualTo("rpm:5/min");
  }

  @Test
  void explain_entityFallsBackToResource_saysSo() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);

    Answer why = api.get(base + "/entities/key-1/explain/gpt").expect(200);

    assertThat(why.at("/limits/0/from").asText()).isEqualTo("resource");
    assertThat(why.at("/registered").asBoolean()).isFalse();
  }

  @Test
  void lists_storedLimits_haveThem() throws Exception {
    api.send("PUT", ofResource, RPM_100).expect(200);
    api.send("PUT", ofKey, RPM_5).expect(200);

    assertThat(api.get(base + "/resources").at("/items/0/resource").asText()).isEqualTo("gpt");
    assertThat(api.get(base + "/entities/key-1/configs").at("/items/0/level").asText())
        .isEqualTo("entity+resource");
  }
}
