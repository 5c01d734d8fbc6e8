package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages on the wire. */
@Timeout(60)
class PageTest {
  private static final long LONG_MS = 20_000;
  private static final Listing ROOTS = new Listing.Roots("ns");

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void listPage_keysAlone_isOneRequestAPage(TestStore kind) throws Exception {
    List<String> bodies;
    try (WireServer server =
            new WireServer(n -> Answer.ok(n == 1 ? page(root("x"), root("x")) : page("", null)));
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply.Page first = (StoreReply.Page) list(open, ROOTS, null);
      assertThat(first.entries()).containsExactly(new ListEntry.Entity("x"));
      assertThat(first.cursor()).isNotNull();
      assertThat(first.receipt()).isEqualTo(new Receipt(0.5, 0, 0, Receipt.NO_TIME));
      StoreReply.Page last = (StoreReply.Page) list(open, ROOTS, first.cursor());
      assertThat(last.entries()).isEmpty();
      assertThat(last.cursor()).isNull();
      assertThat(server.operations()).containsExactly("Query", "Query");
      bodies = server.bodies();
    }
    assertThat(bodies.get(0)).doesNotContain("ExclusiveStartKey");
    assertThat(bodies.get(1))
        .contains("\"ExclusiveStartKey\":{", "\"GSI1SK\":{\"S\":\"CHILD#x\"}", "ns/ENTITY#x");
  }

  /** A filter may leave nothing of a page that has a next one. */
  @Test
  void listPage_emptyPage_mayHaveANextOne() throws Exception {
    StoreReply.Page page =
        (StoreReply.Page)
            run(
                new Listing.BucketsOfNamespace("ns"),
                n -> Answer.ok(page("", "{\"PK\":{\"S\":\"p\"},\"SK\":{\"S\":\"s\"}}")));
    assertThat(page.entries()).isEmpty();
    assertThat(page.cursor()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void listPage_allItems_isAScan(TestStore kind) throws Exception {
    try (WireServer server =
            new WireServer(
                n -> Answer.ok(page("{\"PK\":{\"S\":\"a/X\"},\"SK\":{\"S\":\"s\"}}", null)));
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply.Page page = (StoreReply.Page) list(open, new Listing.AllItems(), null);
      assertThat(page.entries())
          .containsExactly(new ListEntry.Item("a", new ItemAddress("a/X", "s")));
      assertThat(server.operations()).containsExactly("Scan");
    }
  }

  @Test
  void listPage_indexWithoutEntries_readsNoRecords() throws Exception {
    StoreReply reply = run(new Listing.ResourceConfigs("ns"), n -> Answer.ok(page("", null)));
    assertThat(((StoreReply.Page) reply).entries()).isEmpty();
  }

  @Test
  void listPage_recordThatWentMeanwhile_isLeftOut() throws Exception {
    String keys =
        "{\"PK\":{\"S\":\"ns/AUDIT#x\"},\"SK\":{\"S\":\"#AUDIT#2\"}},"
            + "{\"PK\":{\"S\":\"ns/AUDIT#x\"},\"SK\":{\"S\":\"#AUDIT#1\"}}";
    String records =
        SampleJson.batch(List.of(RecordCodec.encode(Records.audit("ns", "x", "1"))), List.of());
    StoreReply reply =
        run(
            new Listing.AuditOfNamespace("ns", "", ""),
            n -> Answer.ok(n == 1 ? page(keys, null) : records));
    assertThat(((StoreReply.Page) reply).entries())
        .containsExactly(new ListEntry.Stored(Records.audit("ns", "x", "1")));
  }

  @Test
  void listPage_rangeThatEndsBeforeItBegins_asksNobody() throws Exception {
    try (WireServer server = new WireServer(n -> Answer.ok("{}"));
        TestStore.Open open = TestStore.URL_CONNECTION_DEFAULT.open(server.endpoint())) {
      assertThat(list(open, new Listing.AuditOfNamespace("ns", "b", "a"), null))
          .isEqualTo(new StoreReply.Page(List.of(), null, Receipt.NONE));
      assertThat(server.requests()).isZero();
    }
  }

  @Test
  void listPage_throttled_hadNoEffect() throws Exception {
    for (Listing listing : List.of(ROOTS, new Listing.AllItems())) {
      assertThat(run(listing, n -> Answer.error(400, "ThrottlingException")))
          .isInstanceOfSatisfying(
              StoreReply.NotApplied.class,
              r -> assertThat(r.failure().kind()).isEqualTo(StoreFailure.Kind.THROTTLED));
    }
  }

  /** Misuse fails the stage, and is not thrown at whoever does not wait. */
  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void listPage_foreignCursor_isRefusedBeforeAnythingIsSent(TestStore kind) throws Exception {
    try (WireServer server = new WireServer(n -> Answer.ok(page(root("x"), root("x"))));
        TestStore.Open open = kind.open(server.endpoint())) {
      String cursor = ((StoreReply.Page) list(open, ROOTS, null)).cursor();
      assertThatThrownBy(() -> list(open, new Listing.Roots("ns-2"), cursor))
          .satisfies(
              thrown ->
                  assertThat(kind.isNetty() ? thrown.getCause() : thrown)
                      .isInstanceOf(IllegalArgumentException.class)
                      .hasMessageEndingWith("is none, or one of another listing"));
      assertThat(server.requests()).isEqualTo(1);
    }
  }

  @Test
  void listPage_entryOfAnotherNamespace_isNoReply() {
    String foreign = root("x").replace("ns/ENTITY", "other/ENTITY");
    assertThatThrownBy(() -> run(ROOTS, n -> Answer.ok(page(foreign, null))))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("corrupt entry of a listing");
  }

  private static StoreReply run(Listing listing, IntFunction<Answer> script) throws Exception {
    try (WireServer server = new WireServer(script);
        TestStore.Open open = TestStore.URL_CONNECTION_SAFE.open(server.endpoint())) {
      return list(open, listing, null);
    }
  }

  private static StoreReply list(TestStore.Open open, Listing listing, @Nullable String cursor) {
    return open.store().execute(new StoreCall.ListPage(listing, 1, cursor), LONG_MS);
  }

  private static String root(String id) {
    return ("{\"PK\":{\"S\":\"ns/ENTITY#%s\"},\"SK\":{\"S\":\"#META\"},"
            + "\"GSI1PK\":{\"S\":\"ns/ROOTS\"},\"GSI1SK\":{\"S\":\"CHILD#%s\"}}")
        .formatted(id, id);
  }

  private static String page(String items, @Nullable String lastKey) {
    return "{\"Items\":["
        + items
        + "],\"ConsumedCapacity\":{\"CapacityUnits\":0.5}"
        + (lastKey == null ? "" : ",\"LastEvaluatedKey\":" + lastKey)
        + "}";
  }
}
