package dev.millrace.regions.internal.ledger;

import dev.millrace.regions.EvictionSeal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A region's knowledge of the other regions. Ages are by the region's own clock, from when it first
 * saw a later snapshot: clock skew between regions does not matter. Not thread-safe.
 */
public final class PeerView {
  /** The number of snapshots without a limit after which it is forgotten. */
  public static final int KEPT_SNAPSHOTS = 100;

  private final Map<String, Peer> peers = new HashMap<>();

  private static final Peer UNKNOWN = new Peer();

  private static final class Peer {
    final Map<LimitKey, PeerLimit> limits = new HashMap<>();
    final Queue<Long> recent = new ArrayDeque<>(); // sequences of the last snapshots
    long sequence = -1;
    long heardAtMs;
    List<EvictionSeal> seals = List.of();
  }

  /**
   * Begins a valid snapshot; its limits follow. One that is not later than the last changes nothing
   * here.
   *
   * @param nowMs by the region's own clock
   */
  public void heard(String region, long sequence, List<EvictionSeal> seals, long nowMs) {
    Peer peer = peers.computeIfAbsent(region, r -> new Peer());
    if (sequence > peer.sequence) {
      peer.sequence = sequence;
      peer.heardAtMs = nowMs;
      peer.seals = List.copyOf(seals);
      peer.recent.add(sequence);
      if (peer.recent.size() > KEPT_SNAPSHOTS) {
        long oldest = peer.recent.remove();
        peer.limits.values().removeIf(limit -> limit.latest().sequence() <= oldest);
      }
    }
  }

  public void merge(String region, LimitKey key, PeerLimit published) {
    peers.computeIfAbsent(region, r -> new Peer()).limits.merge(key, published, PeerLimit::merge);
  }

  /**
   * Whether a later snapshot than all before has less in a row than they had. Rows only grow, so
   * its writer was restored from an old copy; an earlier snapshot that comes late may well have
   * less.
   */
  public boolean isShrunk(String region, long sequence, LimitKey key, TransferRows published) {
    PeerLimit known = find(region, key);
    return known != null && sequence > sequence(region) && !published.covers(known.dealings());
  }

  private Peer peer(String region) {
    return peers.getOrDefault(region, UNKNOWN);
  }

  /** The known state of a limit of {@code region}, or null. */
  public @Nullable PeerLimit find(String region, LimitKey key) {
    return peer(region).limits.get(key);
  }

  /** The seals in the last snapshot of {@code region}. */
  public List<EvictionSeal> sealsOf(String region) {
    return peer(region).seals;
  }

  /** The region that has published that {@code region} is evicted, or null. */
  public @Nullable String sealer(String region) {
    for (Map.Entry<String, Peer> peer : peers.entrySet()) {
      for (EvictionSeal seal : peer.getValue().seals) {
        if (seal.dead().contains(region)) {
          return peer.getKey();
        }
      }
    }
    return null;
  }

  /** The age of the last snapshot of {@code region}, {@link Long#MAX_VALUE} when there is none. */
  public long ageMs(String region, long nowMs) {
    Peer peer = peer(region);
    return peer.sequence < 0 ? Long.MAX_VALUE : Math.max(0, nowMs - peer.heardAtMs);
  }

  /** The number of the last snapshot of {@code region}, −1 when there is none. */
  public long sequence(String region) {
    return peer(region).sequence;
  }

  /**
   * Passes on each limit that may be needed by a region, perhaps more than once: it is in the last
   * snapshot of a region, and not merely present.
   */
  public void forEachActive(Consumer<LimitKey> each) {
    for (Peer peer : peers.values()) {
      peer.limits.forEach(
          (key, limit) -> {
            if (limit.latest().sequence() >= peer.sequence && limit.isActive()) {
              each.accept(key);
            }
          });
    }
  }

  /** The number of known limits of other regions, for metrics. */
  public int size() {
    return peers.values().stream().mapToInt(peer -> peer.limits.size()).sum();
  }
}
