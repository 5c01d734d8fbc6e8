package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AdminTest {
  private final World world = new World();

  @Test
  void of_noUse_asksTheStoreNothing() {
    world.admin.in("prod").entities();
    world.admin.namespaces();
    world.another().in("default").limits();
    assertThat(world.recording.calls()).isEmpty();
  }

  @Test
  void firstUse_newerSchema_isRefusedWithWhatToDo() {
    world.memory.put(new SchemaRecord(4));
    assertThatThrownBy(() -> world.ns.entities().get("e"))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessage(
            "the table is of a newer version than this software"
                + " {found=4, supported=3, todo=use a newer version of Millrace}");
    assertThatThrownBy(() -> world.admin.namespaces().register("a"))
        .isInstanceOf(SchemaMismatchException.class);
  }

  @Test
  void firstUse_olderSchema_isRefusedWithWhatToDo() {
    world.memory.put(new SchemaRecord(2));
    assertThatThrownBy(() -> world.ns.entities().create(NewEntity.of("e")))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("todo=migrate the table first");
    assertThat(world.entity("e")).isNull();
  }

  @Test
  void firstUse_knownSchema_isLookedAtOnce() {
    world.memory.put(new SchemaRecord(3));
    world.ns.entities().get("e");
    world.recording.clear();
    world.ns.entities().get("e");
    assertThat(world.recording.calls()).hasSize(1);
  }

  @Test
  void calls_storeAway_endAfterAFewTries() {
    world.store.always(call -> true, Fault.throttle());
    assertThatThrownBy(() -> world.ns.entities().get("e"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("failure=THROTTLED, tries=6, mayBeMade=false");
    assertThat(world.waitedMs).isBetween(300L, 1_000L);
  }

  @Test
  void calls_lostAnswers_areAskedAgain() {
    world.ns.entities().create(NewEntity.of("e"));
    world.store.once(Fault.loseReply());
    world.store.once(Fault.loseRequest());
    world.store.once(Fault.unreachable());
    assertThat(world.ns.entities().get("e")).isPresent();
    world.store.once(call -> call instanceof StoreCall.Transaction, Fault.loseReply());
    world.ns.entities().update("e", EntityUpdate.none().name("E"));
    assertThat(world.actions("e")).containsExactly("entity.create", "entity.update");
    assertThat(world.store.rulesLeft()).isZero();
  }

  @Test
  void pacer_interrupted_endsTheWorkAndKeepsTheInterrupt() {
    Admin impatient =
        world.another(
            world
                .options()
                .pacer(
                    ms -> {
                      throw new InterruptedException();
                    }));
    world.store.once(Fault.throttle());
    assertThatThrownBy(() -> impatient.in("default").entities().get("e"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void close_givenExecutor_staysOpen() {
    ExecutorService given = Executors.newFixedThreadPool(2);
    try {
      try (Admin admin = world.another(world.options().concurrency(2).executor(given))) {
        NamespaceAdmin ns = admin.in("default");
        ns.limits().set(LimitTarget.resource("r"), World.RPM_100);
        world.open("a", "r");
        world.open("b", "r");
        ns.limits().set(LimitTarget.resource("r"), World.RPM_10);
      }
      assertThat(given.isShutdown()).isFalse();
    } finally {
      given.shutdownNow();
    }
  }

  @Test
  void options_badValues_areMistakes() {
    assertThatThrownBy(() -> AdminOptions.of(""))
        .hasMessage("actor has 0 characters, must have from 1 to 256");
    assertThatThrownBy(() -> AdminOptions.of("a\nb"))
        .hasMessage("actor must not contain control characters");
    assertThatThrownBy(() -> world.admin.as("x".repeat(257)))
        .hasMessage("actor has 257 characters, must have from 1 to 256");
    assertThatThrownBy(() -> world.ns.as("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AdminOptions.builder("a").pageSize(101).build())
        .hasMessage("pageSize 101 must be from 1 to 100");
    assertThatThrownBy(() -> AdminOptions.builder("a").maxWritesPerSecond(0).build())
        .hasMessage("maxWritesPerSecond 0 must be from 1 to 1000000");
    assertThatThrownBy(() -> AdminOptions.builder("a").concurrency(65).build())
        .hasMessage("concurrency 65 must be from 1 to 64");
    assertThatThrownBy(() -> AdminOptions.builder("a").timeout(Duration.ofMillis(9)).build())
        .hasMessage("timeout PT0.009S must be from PT0.01S to PT5M");
    assertThatThrownBy(() -> AdminOptions.builder("a").purgeAfter(Duration.ofDays(-1)).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void jobs_unknownOrBadId_isRefused() {
    assertThatThrownBy(() -> world.ns.jobs().resume("nothing", ProgressListener.NONE))
        .hasMessage("there is no such job {job=nothing}");
    assertThat(world.ns.jobs().get("nothing")).isEmpty();
    for (String id : new String[] {"", "a#b", "a/b", "a b", "x".repeat(301)}) {
      assertThatThrownBy(() -> world.ns.jobs().get(id))
          .hasMessageContaining("job id must have from 1 to 300 letters");
    }
  }

  @Test
  void jobs_onlyWhenDone_expire() {
    world.store.always(call -> call instanceof StoreCall.ListPage, Fault.unreachable());
    assertThatThrownBy(() -> world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10))
        .isInstanceOf(LimiterUnavailableException.class);
    world.store.heal();
    String id = world.ns.jobs().unfinished(10, null).items().get(0).id();
    assertThat(expiresAtSeconds(id)).isZero();

    world.ns.jobs().resume(id, ProgressListener.NONE);

    assertThat(expiresAtSeconds(id)).isEqualTo(world.clock.nowMs() / 1_000 + 86_400);
  }

  private long expiresAtSeconds(String jobId) {
    RecordKey key = new RecordKey.Job(World.NS, jobId);
    return ((JobRecord) Objects.requireNonNull(world.memory.record(key))).expiresAtSeconds();
  }

  @Test
  void jobs_done_isResumedWithoutDoingAnything() {
    JobView done = world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10).buckets();
    assertThat(done).isNotNull();
    String id = done == null ? "" : done.id();
    world.recording.clear();
    assertThat(world.ns.jobs().resume(id, ProgressListener.NONE)).isEqualTo(done);
    assertThat(world.recording.roundTrips()).isEqualTo(1);
  }
}
