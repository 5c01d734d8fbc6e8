package dev.millrace.server.adminapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.admin.NewEntity;
import dev.millrace.server.ApiClient;
import dev.millrace.server.ApiClient.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EntityRoutesTest {
  @RegisterExtension static final ApiServer SERVER = new ApiServer();

  private final String namespace = SERVER.freshNamespace();
  private final ApiClient api = SERVER.client();
  private final String entities = "/v1/namespaces/" + namespace + "/entities";

  @Test
  void put_newEntity_createsIt() throws Exception {
    api.send("PUT", entities + "/acme", "{}").expect(201);

    api.send(
            "PUT",
            entities + "/key-1",
            "{'name':'Key','parent':'acme','cascade':true,'metadata':{'plan':'pro'}}")
        .expect(201);

    Answer key = api.get(entities + "/key-1").expect(200);
    assertThat(key.at("/parent").asText()).isEqualTo("acme");
    assertThat(key.at("/cascade").asBoolean()).isTrue();
    assertThat(key.at("/metadata/plan").asText()).isEqualTo("pro");
    assertThat(api.get(entities + "/acme/children").at("/items/0/id").asText()).isEqualTo("key-1");
  }

  @Test
  void put_existingEntity_makesItSo() throws Exception {
    api.send("PUT", entities + "/acme", "{'name':'Acme','metadata':{'plan':'pro'}}").expect(201);

    Answer changed = api.send("PUT", entities + "/acme", "{'name':'Acme Inc'}").expect(200);

    assertThat(changed.at("/name").asText()).isEqualTo("Acme Inc");
    assertThat(changed.at("/metadata").isEmpty()).isTrue();
  }

  @Test
  void patch_oneField_leavesTheOthers() throws Exception {
    api.send("PUT", entities + "/acme", "{}").expect(201);
    api.send("PUT", entities + "/key-1", "{'name':'Key','parent':'acme'}").expect(201);

    Answer renamed = api.send("PATCH", entities + "/key-1", "{'name':'New'}").expect(200);
    assertThat(renamed.at("/name").asText()).isEqualTo("New");
    assertThat(renamed.at("/parent").asText()).isEqualTo("acme");

    Answer moved = api.send("PATCH", entities + "/key-1", "{'parent':null}").expect(200);
    assertThat(moved.at("/parent").isNull()).isTrue();
    assertThat(moved.at("/name").asText()).isEqualTo("New");
  }

  @Test
  void delete_entityWithChildren_isRefusedWithTheReason() throws Exception {
    api.send("PUT", entities + "/acme", "{}").expect(201);
    api.send("PUT", entities + "/key-1", "{'parent':'acme'}").expect(201);

    Answer refused = api.send("DELETE", entities + "/acme", null).expect(409);
    assertThat(refused.at("/reason").asText()).isEqualTo("HAS_CHILDREN");

    api.send("DELETE", entities + "/key-1", null).expect(200);
    api.send("DELETE", entities + "/acme", null).expect(200);
    api.get(entities + "/acme").expect(404);
  }

  @Test
  void list_moreThanAPage_goesOnWithTheCursor() throws Exception {
    List<NewEntity> many = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      many.add(NewEntity.of("key-%03d".formatted(i)));
    }
    SERVER.parts().admin().in(namespace).entities().createAll(many);

    List<String> seen = new ArrayList<>();
    String cursor = "";
    for (int pages = 0; pages < 10 && cursor != null; pages++) {
      Answer page = api.get(entities + "?pageSize=50" + cursor).expect(200);
      page.at("/items").forEach(item -> seen.add(item.get("id").asText()));
      cursor = page.at("/cursor").isNull() ? null : "&cursor=" + page.at("/cursor").asText();
    }

    assertThat(seen).hasSize(120).doesNotHaveDuplicates();
  }

  @Test
  void list_pageTooLarge_isRefusedByName() throws Exception {
    Answer refused = api.get(entities + "?pageSize=101").expect(400);

    assertThat(refused.at("/field").asText()).isEqualTo("pageSize");
    assertThat(refused.at("/detail").asText()).contains("'101'", "from 1 to 100");
  }

  @Test
  void search_prefix_findsThemAtEveryDepth() throws Exception {
    api.send("PUT", entities + "/acme", "{}").expect(201);
    api.send("PUT", entities + "/team-1", "{'parent':'acme'}").expect(201);
    api.send("PUT", entities + "/team-1-key", "{'parent':'team-1'}").expect(201);
    api.send("PUT", entities + "/other", "{}").expect(201);

    Answer found = api.get(entities + "?prefix=team-1").expect(200);

    assertThat(found.at("/items"))
        .extracting(item -> item.get("id").asText())
        .containsExactly("team-1", "team-1-key");
    assertThat(found.at("/complete").asBoolean()).isTrue();
  }

  @Test
  void search_moreThanFit_saysThatThereAreMore() throws Exception {
    api.send("PUT", entities + "/key-1", "{}").expect(201);
    api.send("PUT", entities + "/key-2", "{}").expect(201);

    Answer found = api.get(entities + "?prefix=key&pageSize=1").expect(200);

    assertThat(found.at("/items")).hasSize(1);
    assertThat(found.at("/complete").asBoolean()).isFalse();
  }

  @Test
  void search_moreThanAreLookedAt_saysSoAndFindsAWholeId() throws Exception {
    List<NewEntity> many = new ArrayList<>();
    for (int i = 0; i <= EntitySearch.MAX_SEARCHED; i++) {
      many.add(NewEntity.of("many-%05d".formatted(i)));
    }
    many.add(NewEntity.of("zebra"));
    var unused = SERVER.parts().admin().in(namespace).entities().createAll(many);

    Answer none = api.get(entities + "?prefix=zeb").expect(200);
    assertThat(none.at("/items")).isEmpty();
    assertThat(none.at("/complete").asBoolean()).isFalse();
    Answer whole = api.get(entities + "?prefix=zebra").expect(200);
    assertThat(whole.at("/items/0/id").asText()).isEqualTo("zebra");
  }

  @Test
  void put_unknownField_isRefusedByNameAndNothingIsWritten() throws Exception {
    Answer refused = api.send("PUT", entities + "/acme", "{'nmae':'x'}").expect(400);

    assertThat(refused.at("/field").asText()).isEqualTo("nmae");
    api.get(entities + "/acme").expect(404);
  }

  @Test
  void list_cursorThatIsNone_isRefused() throws Exception {
    Answer refused = api.get(entities + "?cursor=made-up").expect(400);

    assertThat(refused.at("/detail").asText()).contains("cursor", "made-up");
  }

  @Test
  void delete_withABody_isRefusedAndNothingIsDeleted() throws Exception {
    api.send("PUT", entities + "/acme", "{}").expect(201);

    api.send("DELETE", entities + "/acme", "{'forgiveDebt':true}").expect(400);

    api.get(entities + "/acme").expect(200);
  }

  @Test
  void get_unknownQuery_isRefusedByName() throws Exception {
    assertThat(api.get(entities + "?pagesize=1").expect(400).at("/field").asText())
        .isEqualTo("pagesize");
  }
}
