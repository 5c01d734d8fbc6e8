package dev.millrace.regions.sync;

import dev.millrace.regions.exchange.Fetched;
import dev.millrace.regions.exchange.Published;
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
  public Published publish(String region, EncodedSnapshot snapshot) {
    puts++;
    if (away) {
      return new Published.Failed("away");
    }
    objects.put(region, snapshot);
    return new Published.Done();
  }

  @Override
  public Fetched fetch(String region, @Nullable String lastEtag) {
    gets++;
    if (away) {
      return new Fetched.Failed("away");
    }
    EncodedSnapshot snapshot = objects.get(region);
    if (snapshot == null) {
      return new Fetched.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag) ? new Fetched.NotModified() : new Fetched.Found(snapshot, etag);
  }
}
