package dev.millrace.regions.sim;

import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * S3 at its worst: whoever reads gets the last snapshot, any earlier one, a damaged one or none.
 * That covers what is lost, late, told twice, told in another order, and an outage.
 */
public final class UnreliableBucket {
  private final RandomGenerator random;
  private final Map<String, List<EncodedSnapshot>> versions = new HashMap<>();
  private boolean reliable;
  private boolean away;

  /** One that does what it likes. */
  public UnreliableBucket(RandomGenerator random) {
    this.random = random;
  }

  /** From now on whoever reads gets the last. */
  public void becomeReliable() {
    reliable = true;
    away = false;
  }

  /** Nobody is served while it is away. */
  public void setAway(boolean away) {
    this.away = away;
  }

  /** Returns whether it is there. */
  public boolean put(String region, EncodedSnapshot version) {
    if (!away) {
      versions.computeIfAbsent(region, r -> new ArrayList<>()).add(version);
    }
    return !away;
  }

  /** Something of what was put, or null. */
  public @Nullable EncodedSnapshot get(String region) {
    List<EncodedSnapshot> all = versions.getOrDefault(region, List.of());
    if (away || all.isEmpty()) {
      return null;
    }
    EncodedSnapshot last = all.get(all.size() - 1);
    int chance = reliable ? 0 : random.nextInt(20);
    if (chance < 11) {
      return last;
    }
    if (chance < 17) {
      return all.get(random.nextInt(all.size()));
    }
    return chance < 19 ? damaged(last) : null;
  }

  /** The last that was put, or null. */
  public @Nullable EncodedSnapshot last(String region) {
    List<EncodedSnapshot> all = versions.getOrDefault(region, List.of());
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  private EncodedSnapshot damaged(EncodedSnapshot version) {
    byte[] bytes = version.toByteArray();
    if (random.nextBoolean()) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      return new EncodedSnapshot(bytes, version.sha256());
    }
    return new EncodedSnapshot(
        Arrays.copyOf(bytes, random.nextInt(bytes.length)), version.sha256());
  }
}
