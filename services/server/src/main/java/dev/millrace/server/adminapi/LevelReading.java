package dev.millrace.server.adminapi;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.LimitReading;
import dev.millrace.server.problem.BadRequest;
import java.util.ArrayList;
import java.util.List;

/** The limits of a level as they are sent. */
final class LevelReading {
  /** Most limits of one level that are read; a bucket has room for fewer. */
  private static final int MAX_LIMITS = 100;

  private LevelReading() {}

  static LimitSet of(JsonFields body, String name) {
    List<JsonFields> sent = body.objects(name, MAX_LIMITS);
    if (sent.isEmpty()) {
      throw BadRequest.field(name, "must be a list of at least one limit; DELETE removes all");
    }
    List<Limit> limits = new ArrayList<>();
    sent.forEach(limit -> limits.add(LimitReading.read(limit)));
    return LimitSet.of(limits);
  }
}
