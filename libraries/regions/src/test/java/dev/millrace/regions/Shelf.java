package dev.millrace.regions;

import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects in memory, and how often they were asked for. */
final class Shelf implements SnapshotExchange {
  final Map<String, EncodedSnapshot> objects = new HashMap<>();
  boolean away;
  int puts;
  int gets;

  @Override
  public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
    puts++;
    if (away) {
      return new SnapshotExchange.PublishResult.Failed("away");
    }
    objects.put(region, snapshot);
    return new SnapshotExchange.PublishResult.Done();
  }

  @Override
  public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
    gets++;
    if (away) {
      return new SnapshotExchange.FetchResult.Failed("away");
    }
    EncodedSnapshot snapshot = objects.get(region);
    if (snapshot == null) {
      return new SnapshotExchange.FetchResult.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag)
        ? new SnapshotExchange.FetchResult.NotModified()
        : new SnapshotExchange.FetchResult.Found(snapshot, etag);
  }
}
