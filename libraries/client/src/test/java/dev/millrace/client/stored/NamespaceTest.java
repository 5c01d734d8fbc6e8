package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Directory;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose buckets they are. */
class NamespaceTest {
  private static final long MINUTE_MS = 60_000;

  private final HierarchyBench bench = new HierarchyBench();

  private Caller of(Style style, String namespace) {
    return bench.caller(style, bench.options().namespace(namespace));
  }

  private long consumed(String namespaceId) {
    return bench.consumed(BucketKey.first(namespaceId, ENTITY, RESOURCE), "rpm");
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_registered_resolvesTheNameOnce(Style style) {
    Namespaces.register(bench.memory, "prod", "n1");
    new Directory(bench.memory, "n1").system(rpm(100));
    RecordKey byName = new RecordKey.NamespaceByName("prod");
    try (Caller caller = of(style, "prod")) {
      caller.acquire(request(1));
      caller.acquire(request(1));
      caller.acquire(request("other", 1));
      bench.advance(MINUTE_MS);
      caller.acquire(request(1));

      assertThat(consumed("n1")).isEqualTo(3);
      assertThat(bench.calls.roundTrips(Calls.lookupsOf(byName))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_notRegistered_saysWhatToDo(Style style) {
    try (Caller caller = of(style, "prod")) {
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(LimiterConfigurationException.class)
            .isThrownBy(() -> caller.acquire(request(1).onUnavailable(OnUnavailable.ALLOW)))
            .satisfies(
                e -> {
                  assertThat(e.attributes()).containsEntry("namespace", "prod");
                  assertThat(e.attributes()).containsEntry("problem", "it is not registered");
                  assertThat(e.attributes().get("todo").toString()).contains("register it");
                });
      }
      Namespaces.register(bench.memory, "prod", "n1");
      new Directory(bench.memory, "n1").system(rpm(100));
      bench.advance(1_000);
      caller.acquire(request(1));
      assertThat(consumed("n1")).isEqualTo(1);
    }
  }

  /** Misuse does not flood the partition that all namespaces share. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_notRegisteredAndHammered_isLookedUpOnceASecond(Style style) {
    try (Caller caller = of(style, "prod")) {
      int lookUps =
          bench.lookUps(
              () -> {
                for (int i = 0; i < 100; i++) {
                  assertThatExceptionOfType(LimiterConfigurationException.class)
                      .isThrownBy(() -> caller.acquire(request(1)));
                  bench.advance(30);
                }
              });
      assertThat(lookUps).isBetween(1, 4);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_deleted_isRefusedWithinTheCacheTime(Style style) {
    Namespaces.register(bench.memory, "prod", "n1");
    new Directory(bench.memory, "n1").system(rpm(1_000));
    try (Caller caller = of(style, "prod")) {
      caller.acquire(request(1));
      bench.advance(MINUTE_MS - 1);
      caller.acquire(request("late", 1)); // what is known of this one is a moment old
      Namespaces.put(bench.memory, "prod", "n1", NamespaceRecord.State.DELETED);
      bench.advance(1);

      for (String entity : List.of(ENTITY, "late", "new")) {
        assertThatExceptionOfType(LimiterConfigurationException.class)
            .as(entity)
            .isThrownBy(() -> caller.acquire(request(entity, 1)))
            .satisfies(e -> assertThat(e.attributes()).containsEntry("problem", "it is DELETED"));
      }
      assertThat(consumed("n1")).isEqualTo(1);

      Namespaces.register(bench.memory, "prod", "n1"); // recovered
      bench.advance(1_000);
      caller.acquire(request(1));
      assertThat(consumed("n1")).isEqualTo(2);
    }
  }

  /** One that was purged is gone; its name may stand for another one by then. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_purgedAndRegisteredAnew_usesTheNewId(Style style) {
    Namespaces.register(bench.memory, "prod", "n1");
    new Directory(bench.memory, "n1").system(rpm(1_000));
    try (Caller caller = of(style, "prod")) {
      caller.acquire(request(1));
      bench.memory.remove(new RecordKey.NamespaceById("n1"));
      bench.memory.remove(new RecordKey.NamespaceByName("prod"));
      bench.memory.remove(BucketKey.first("n1", ENTITY, RESOURCE));
      bench.advance(MINUTE_MS);

      assertThatExceptionOfType(LimiterConfigurationException.class)
          .isThrownBy(() -> caller.acquire(request(1)))
          .satisfies(
              e -> assertThat(e.attributes()).containsEntry("problem", "it is not registered"));
      assertThat(bench.memory.size()).isZero();

      Namespaces.register(bench.memory, "prod", "n2");
      new Directory(bench.memory, "n2").system(rpm(1_000));
      bench.advance(1_000);
      caller.acquire(request(1));
      assertThat(consumed("n2")).isEqualTo(1);
      assertThat(bench.memory.size()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_idGiven_looksNoNameUp(Style style) {
    Namespaces.register(bench.memory, "prod", "n1");
    new Directory(bench.memory, "n1").system(rpm(100));
    try (Caller caller = bench.caller(style, bench.options().namespace("prod").namespaceId("n1"))) {
      caller.acquire(request(1));

      assertThat(consumed("n1")).isEqualTo(1);
      assertThat(bench.calls.roundTrips(Calls.lookups())).isEqualTo(1);
      assertThat(bench.calls.roundTrips(Calls.lookupsOf(new RecordKey.NamespaceByName("prod"))))
          .isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_defaultNamespace_needsNoRegistration(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThat(consumed("default")).isEqualTo(1);
    }
  }

  /** The store did not answer: under ALLOW that is no reason to refuse, whoever it is. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_nameCannotBeResolved_isAnsweredByPolicy(Style style) {
    bench.faults.always(Calls.any(), Fault.unreachable());
    try (Caller caller = of(style, "prod")) {
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
      assertThat(caller.acquire(request(1).onUnavailable(OnUnavailable.ALLOW)).isDegraded())
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_equalNamesInTwoNamespaces_touchOnlyTheirOwn(Style style) {
    for (String id : List.of("n1", "n2")) {
      Namespaces.register(bench.memory, "name-of-" + id, id);
      Directory directory = new Directory(bench.memory, id);
      directory.chain(ENTITY, "team");
      directory.system(rpm(id.equals("n1") ? 5 : 50));
    }
    try (Caller one = of(style, "name-of-n1");
        Caller two = of(style, "name-of-n2")) {
      one.acquire(request(5));
      assertThat(one.tryAcquire(request(1)).isGranted()).isFalse();
      two.acquire(request(7));

      assertThat(consumed("n1")).isEqualTo(5);
      assertThat(consumed("n2")).isEqualTo(7);
      assertThat(bench.consumed(BucketKey.first("n1", "team", RESOURCE), "rpm")).isEqualTo(5);
      assertThat(bench.consumed(BucketKey.first("n2", "team", RESOURCE), "rpm")).isEqualTo(7);
    }
  }

  /** Names made to look like the keys of others. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_hostileNames_reachNothingOfOthers(Style style) {
    for (String id : List.of("n1", "n1-x", "n")) {
      Namespaces.register(bench.memory, id, id);
      new Directory(bench.memory, id).system(rpm(50));
    }
    try (Caller victim = of(style, "n1")) {
      victim.acquire(request(1));
    }
    List<String> hostileEntities =
        List.of("n1", "x.n1", "key.gpt-4", "ENTITY", "BUCKET:key", "1", "key@n1", "default");
    List<String> hostileResources =
        List.of("n1/BUCKET", "gpt-4/0", "a/../b", "SYSTEM/", "gpt-4.0", "RESOURCE/gpt-4");
    for (String attacker : List.of("n", "n1-x")) {
      try (Caller caller = of(style, attacker)) {
        bench.calls.clear();
        for (String entity : hostileEntities) {
          for (String resource : hostileResources) {
            AcquireRequest request = AcquireRequest.of(entity, resource).consume("rpm", 1);
            caller.acquire(request).cancel();
            caller.available(entity, resource);
            caller.timeUntilAvailable(request);
          }
        }
        assertThat(bench.calls.calls()).allSatisfy(call -> assertIsOf(attacker, call));
      }
    }
    assertThat(consumed("n1")).isEqualTo(1);
    for (String refused :
        List.of("n1/ENTITY#key", "key#gpt-4", "#META", "", " ", "_default_", "$x", "é", "a\nb")) {
      assertThatIllegalArgumentException()
          .as(refused)
          .isThrownBy(() -> AcquireRequest.of(refused, RESOURCE));
      assertThatIllegalArgumentException()
          .as(refused)
          .isThrownBy(() -> AcquireRequest.of(ENTITY, refused));
      assertThatIllegalArgumentException()
          .as(refused)
          .isThrownBy(() -> bench.options().namespace(refused).build());
      assertThatIllegalArgumentException()
          .as(refused)
          .isThrownBy(() -> bench.options().namespaceId(refused).build());
    }
  }

  /** Every key of a call is one of the namespace, or one that tells about namespaces. */
  private static void assertIsOf(String namespace, StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      assertThat(write.key().namespace()).isEqualTo(namespace);
    } else if (call instanceof StoreCall.Read read) {
      assertThat(read.key().namespace()).isEqualTo(namespace);
    } else if (call instanceof StoreCall.ReadAll readAll) {
      assertThat(readAll.keys()).allMatch(key -> key.namespace().equals(namespace));
    } else {
      for (RecordKey key : ((StoreCall.Lookup) call).keys()) {
        if (key instanceof RecordKey.Entity entity) {
          assertThat(entity.namespace()).isEqualTo(namespace);
        } else if (key instanceof RecordKey.Config config) {
          assertThat(config.namespace()).isEqualTo(namespace);
        } else if (key instanceof RecordKey.NamespaceById byId) {
          assertThat(byId.id()).isEqualTo(namespace);
        } else if (key instanceof RecordKey.NamespaceByName byName) {
          assertThat(byName.name()).isEqualTo(namespace);
        } else {
          assertThat(key).isEqualTo(new RecordKey.Schema());
        }
      }
    }
  }
}
