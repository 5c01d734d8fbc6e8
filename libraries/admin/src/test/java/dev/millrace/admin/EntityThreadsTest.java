package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Many threads that change the tree at once, on few entities, so that they meet all the time. */
class EntityThreadsTest {
  @Test
  void tree_manyThreadsChangeIt_staysSound() {
    Seeds.forEach(
        6,
        (random, seed) -> {
          World shared = new World();
          List<String> ids = new ArrayList<>();
          for (int i = 0; i < 12; i++) {
            ids.add("e" + i);
          }
          ExecutorService pool = Executors.newFixedThreadPool(4);
          try {
            List<Callable<Integer>> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              SplittableRandom own = new SplittableRandom(random.nextLong());
              workers.add(() -> scramble(shared, ids, own));
            }
            int done = 0;
            for (Future<Integer> worker : pool.invokeAll(workers)) {
              done += worker.get();
            }
            assertThat(done).as("changes that were made").isGreaterThan(50);
          } finally {
            pool.shutdownNow();
          }
          Trees.assertSound(shared, ids);
        });
  }

  private static int scramble(World shared, List<String> ids, SplittableRandom random) {
    AdminOptions options = shared.options().pacer(ms -> {}).random(random).build();
    EntityAdmin entities = Admin.of(shared.store, options).in(World.NS).entities();
    int done = 0;
    for (int i = 0; i < 150; i++) {
      String id = Gen.oneOf(random, ids);
      String parent = Gen.oneOf(random, ids);
      try {
        change(entities, random, id, parent);
        done++;
      } catch (ChangeRefusedException | LimiterUnavailableException e) {
        // Refused, or too late too often: either leaves the tree as it was.
      }
    }
    return done;
  }

  private static void change(
      EntityAdmin entities, RandomGenerator random, String id, String parent) {
    switch (random.nextInt(10)) {
      case 0 -> entities.create(NewEntity.of(id));
      case 1, 2, 3 -> entities.create(NewEntity.of(id).under(parent));
      case 4 -> entities.delete(id);
      case 5 -> entities.moveToTop(id);
      default -> entities.move(id, parent);
    }
  }
}
