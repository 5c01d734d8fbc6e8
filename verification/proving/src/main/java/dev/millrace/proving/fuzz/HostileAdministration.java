package dev.millrace.proving.fuzz;

import java.util.SplittableRandom;

/**
 * Requests of the administration that must change nothing: bodies that are none, and questions that
 * cannot be answered. None of them is about the ledger, so that one that is obeyed all the same
 * shows by its status.
 */
final class HostileAdministration {
  private static final String BASE = "/v1/namespaces/default/";

  /** What needs a body; each has a name that is nobody's. */
  private static final String[] WRITES = {
    "PUT limits",
    "PUT resources/NAME/limits",
    "PUT entities/NAME/limits",
    "PUT entities/NAME/resources/NAME/limits",
    "PUT entities/NAME",
    "PATCH entities/NAME",
    "PUT switches/entities/NAME",
    "PUT switches/resources/NAME",
    "POST buckets/NAME/NAME/top-up",
    "PUT buckets/NAME/NAME/shards"
  };

  private static final String[] BODIES = {
    "{",
    "[]",
    "null",
    "\"text\"",
    "0",
    "{\"x\":1}",
    "{\"limits\":{}}",
    "{\"limits\":[1]}",
    "{\"limits\":[{}]}",
    "{\"limits\":[{\"name\":\"\"}]}",
    "{\"limits\":[{\"name\":\"rpm\",\"rate\":-1}]}",
    "{\"limits\":[{\"name\":\"rpm\",\"rate\":1e99}]}",
    "{\"limits\":[{\"name\":\"#\",\"rate\":1}]}",
    "{\"limits\":[{\"name\":\"rpm\",\"rate\":1,\"per\":\"PT0S\"}]}",
    "{\"parent\":5}",
    "{\"enabled\":\"maybe\"}",
    "{\"shards\":-1}",
    "{\"tokens\":{\"rpm\":\"many\"}}"
  };

  private static final String[] NAMES = {"nobody", "no%20body", "%23", "_x", "%2e%2e", "%C3%A9"};

  private static final String[] QUESTIONS = {
    "entities?limit=-1",
    "entities?limit=many",
    "entities?limit=99999999999999999999",
    "entities?cursor=%00%ff",
    "entities?unheard=of",
    "usage?from=yesterday",
    "usage?window=eon",
    "usage/top?limit=0",
    "audit?cursor=zzz",
    "audit?limit=1e9",
    "jobs?limit=-5",
    "jobs/%2e%2e%2fx",
    "regions?entity=alone",
    "buckets/%23/%23",
    "entities/%20",
    "entities/_x/explain/%23",
    "unheard-of"
  };

  private HostileAdministration() {}

  static Hostile write(SplittableRandom random) {
    String[] target = pick(random, WRITES).split(" ", 2);
    String path = BASE + target[1].replace("NAME", pick(random, NAMES));
    String body =
        random.nextInt(8) == 0
            ? "{\"limits\":".repeat(50 + random.nextInt(2_000))
            : pick(random, BODIES);
    return HostileRequests.sent(Kind.ADMIN_WRITE, target[0], path, body);
  }

  static Hostile question(SplittableRandom random) {
    return HostileRequests.get(
        Kind.ADMIN_QUESTION, "GET", BASE + pick(random, QUESTIONS), "localhost");
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}
