package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Creating many entities. */
class EntityBulkTest {
  private final World world = new World();
  private final EntityAdmin entities = world.ns.entities();

  private static List<NewEntity> organisation() {
    List<NewEntity> all = new ArrayList<>();
    for (int org = 0; org < 3; org++) {
      all.add(NewEntity.of("org-" + org));
      for (int team = 0; team < 5; team++) {
        String teamId = "team-" + org + "-" + team;
        all.add(NewEntity.of(teamId).under("org-" + org).cascading());
        for (int key = 0; key < 20; key++) {
          all.add(NewEntity.of("key-" + org + "-" + team + "-" + key).under(teamId).cascading());
        }
      }
    }
    return all;
  }

  private static List<String> ids(List<NewEntity> all) {
    return all.stream().map(NewEntity::id).toList();
  }

  @Test
  void createAll_anyOrder_createsParentsFirst() {
    List<NewEntity> all = organisation();
    Collections.shuffle(all, new Random(3));

    assertThat(entities.createAll(all)).isEqualTo(new BulkResult(318, List.of()));

    Trees.assertSound(world, ids(all));
    assertThat(entities.ancestors("key-2-4-19").stream().map(Entity::id))
        .containsExactly("team-2-4", "org-2");
    assertThat(world.known("team-1-1").ancestorsHint()).containsExactly("org-1");
    assertThat(world.actions("key-0-0-0")).containsExactly("entity.create");
  }

  @Test
  void createAll_manyOfOneParent_takesFewRoundTrips() {
    entities.create(NewEntity.of("p"));
    List<NewEntity> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(NewEntity.of("c-" + i).under("p"));
    }
    world.recording.clear();
    List<Long> reports = new ArrayList<>();

    entities.createAll(all, report -> reports.add(report.changed()));

    assertThat(world.recording.roundTrips()).isLessThan(100);
    assertThat(reports).hasSize(22).isSorted().endsWith(1_000L);
    assertThat(world.known("p").children()).isEqualTo(1_000);
  }

  @Test
  void createAll_eachBelowAnotherChain_splitsTransactions() {
    List<NewEntity> chains = new ArrayList<>();
    List<NewEntity> leaves = new ArrayList<>();
    for (int chain = 0; chain < 40; chain++) {
      for (int level = 1; level <= 7; level++) {
        NewEntity entity = NewEntity.of("c" + chain + "-" + level);
        chains.add(level == 1 ? entity : entity.under("c" + chain + "-" + (level - 1)));
      }
      leaves.add(NewEntity.of("leaf-" + chain).under("c" + chain + "-7"));
    }
    entities.createAll(chains);

    assertThat(entities.createAll(leaves).created()).isEqualTo(40);

    chains.addAll(leaves);
    Trees.assertSound(world, ids(chains));
  }

  @Test
  void createAll_muchMetadata_staysWithinWhatATransactionMayHold() {
    Map<String, String> much = new HashMap<>();
    for (int i = 0; i < NewEntity.MAX_METADATA; i++) {
      much.put("k" + i, "v".repeat(NewEntity.MAX_METADATA_VALUE));
    }
    List<NewEntity> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      all.add(NewEntity.of("e-" + i).with(much));
    }

    entities.createAll(all);

    assertThat(world.recording.calls())
        .filteredOn(StoreCall.Transaction.class::isInstance)
        .hasSize(4)
        .allSatisfy(call -> assertThat(call.toString().length()).isLessThan(1_100_000));
  }

  @Test
  void createAll_interrupted_isFinishedByRunningItAgain() {
    List<NewEntity> all = organisation();
    world.store.once(call -> call instanceof StoreCall.Transaction, Fault.none());
    world.store.once(call -> call instanceof StoreCall.Transaction, Fault.none());
    world.store.always(call -> call instanceof StoreCall.Transaction, Fault.unreachable());
    assertThatThrownBy(() -> entities.createAll(all))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("call=Transaction")
        .hasMessageContaining("mayBeMade=false");
    world.store.heal();

    BulkResult again = entities.createAll(all);

    assertThat(again.created() + again.existing().size()).isEqualTo(318);
    assertThat(again.existing()).isNotEmpty();
    Trees.assertSound(world, ids(all));
    for (String id : ids(all)) {
      assertThat(world.actions(id)).as(id).containsExactly("entity.create");
    }
  }

  @Test
  void createAll_lostAnswersAndThrottling_createsEachOnce() {
    List<NewEntity> all = organisation();
    int[] calls = {0};
    world.store.always(call -> ++calls[0] % 3 == 0, Fault.throttle());
    world.store.always(call -> calls[0] % 5 == 0, Fault.loseReply());

    assertThat(entities.createAll(all)).isEqualTo(new BulkResult(318, List.of()));

    world.store.heal();
    Trees.assertSound(world, ids(all));
    for (String id : ids(all)) {
      assertThat(world.actions(id)).as(id).containsExactly("entity.create");
    }
  }

  @Test
  void createAll_badInput_isRefusedBeforeAnythingIsWritten() {
    assertThatThrownBy(() -> entities.createAll(List.of(NewEntity.of("a"), NewEntity.of("a"))))
        .hasMessage("entity 'a' is given twice");
    assertThatThrownBy(
            () ->
                entities.createAll(
                    List.of(NewEntity.of("a").under("b"), NewEntity.of("b").under("a"))))
        .hasMessageContaining("an entity cannot be its own ancestor");
    List<NewEntity> tooDeep = new ArrayList<>(List.of(NewEntity.of("e1")));
    for (int level = 2; level <= 9; level++) {
      tooDeep.add(NewEntity.of("e" + level).under("e" + (level - 1)));
    }
    assertThatThrownBy(() -> entities.createAll(tooDeep)).hasMessageContaining("levels=9");
    assertThatThrownBy(() -> entities.createAll(List.of(NewEntity.of("a").under("nobody"))))
        .hasMessageContaining("the parent does not exist");
    assertThat(world.everything()).isEmpty();
  }
}
