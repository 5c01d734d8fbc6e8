package dev.millrace.regions.sync;

import dev.millrace.regions.exchange.FetchResult;
import dev.millrace.regions.exchange.PublishResult;
import dev.millrace.regions.exchange.SnapshotExchange;
import dev.millrace.regions.snapshot.EncodedSnapshot;
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
  public PublishResult publish(String region, EncodedSnapshot snapshot) {
    puts++;
    if (away) {
      return new PublishResult.Failed("away");
    }
    objects.put(region, snapshot);
    return new PublishResult.Done();
  }

  @Override
  public FetchResult fetch(String region, @Nullable String lastEtag) {
    gets++;
    if (away) {
      return new FetchResult.Failed("away");
    }
    EncodedSnapshot snapshot = objects.get(region);
    if (snapshot == null) {
      return new FetchResult.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag)
        ? new FetchResult.NotModified()
        : new FetchResult.Found(snapshot, etag);
  }
}
