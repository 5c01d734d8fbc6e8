package dev.millrace.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.ApiClient;
import dev.millrace.server.ApiClient.Answer;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.TestParts;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every answer of the data plane is as it is described; the client looks. */
class DataPlaneAnswersTest {
  private static final String BASE = "/v1/namespaces/default";
  private static final String WANTED =
      "{'entity':'key-1','resource':'gpt','consume':{'rpm':%d},"
          + "'limits':[{'name':'rpm','rate':10,'per':'PT1H'}]%s}";

  @Test
  void answers_ofAWholeLife_areAsDescribed() throws Exception {
    ServerLife life = new ServerLife();
    try (MillraceServer server =
        MillraceServer.start(
            NetworkSettings.loopback(0),
            TestParts.on(new InMemoryStore()),
            life,
            List.of(new DataPlane(LeaseSettings.defaults(), life)))) {
      ApiClient api = new ApiClient(server.uri());

      Answer granted =
          api.send("POST", BASE + "/acquire", WANTED.formatted(4, ",'balances':true")).expect(200);
      String lease = BASE + "/leases/" + granted.at("/lease/id").asText();
      api.get(lease).expect(200);
      api.send("POST", lease + "/consume", "{'consume':{'rpm':1}}").expect(200);
      api.send("POST", lease + "/adjust", "{'adjust':{'rpm':1}}").expect(200);
      api.send("POST", lease + "/extend", "{'ttl':'PT2M'}").expect(200);
      api.send("POST", lease + "/settle", "{'actual':{'rpm':6}}").expect(200);
      Answer refused = api.send("POST", BASE + "/acquire", WANTED.formatted(9, "")).expect(429);
      assertThat(refused.at("/violations/0/limit").asText()).isEqualTo("rpm");
      Answer wait =
          api.send("POST", BASE + "/time-until-available", WANTED.formatted(9, "")).expect(200);
      assertThat(wait.at("/possible").asBoolean()).isTrue();
      Answer other = api.send("POST", BASE + "/acquire", WANTED.formatted(1, "")).expect(200);
      api.send("POST", BASE + "/leases/" + other.at("/lease/id").asText() + "/release", "{}")
          .expect(200);
      api.send("POST", BASE + "/acquire", "{}").expect(400);
    }
  }
}
