package dev.millrace.dynamodb;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Records to test with. */
public final class Records {
  private static final List<String> IDS = List.of("x", "x:y", "x-y", "a@b.c", "9_");
  private static final List<String> RESOURCES = List.of("gpt-4", "openai/gpt-4", "a.b_c", "x");
  private static final List<String> NAMESPACES = List.of("a", "a-b", "a_b", "4v0tvs71xfY");
  private static final List<String> TEXTS =
      List.of("", " ", "plain", "Zoë 😀", "a#b/c", "line\nbreak", "x".repeat(300));

  private Records() {}

  public static EntityRecord entity(String namespace, String id, @Nullable String parentId) {
    return new EntityRecord(
        new RecordKey.Entity(namespace, id),
        1,
        id,
        parentId,
        parentId == null ? List.of() : List.of(parentId),
        /* cascade= */ true,
        /* disabled= */ false,
        Map.of("plan", "gold"),
        1_700_000_000_000L,
        0);
  }

  public static ConfigRecord config(RecordKey.Config key, long version, String... limitNames) {
    List<Limit> limits = new ArrayList<>();
    for (String name : limitNames) {
      limits.add(Limit.perMinute(name, 10));
    }
    return new ConfigRecord(
        key, version, limits.isEmpty() ? null : LimitSet.of(limits), null, false, null, null);
  }

  public static AuditEvent audit(String namespace, String subject, String id) {
    return new AuditEvent(
        new RecordKey.Audit(namespace, subject, id),
        1_700_000_000_000L,
        "ops@example.com",
        "limits.set",
        Map.of(),
        Map.of("limits", "rpm:10/minute"),
        1_800_000_000L);
  }

  public static JobRecord job(String namespace, String id, boolean done) {
    return new JobRecord(
        new RecordKey.Job(namespace, id),
        1,
        "fan-out",
        Map.of("resource", "gpt-4"),
        done ? null : "cursor-1",
        17,
        5,
        done,
        1_700_000_000_000L,
        1_700_000_001_000L,
        1_800_000_000L);
  }

  public static NamespaceRecord namespaceByName(String name, String id) {
    return new NamespaceRecord(
        new RecordKey.NamespaceByName(name),
        1,
        name,
        id,
        NamespaceRecord.State.ACTIVE,
        1_700_000_000_000L);
  }

  /** A record of any kind. */
  public static StoredRecord random(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> randomEntity(random);
      case 1 -> randomConfig(random);
      case 2 -> randomNamespace(random);
      case 3 -> randomAudit(random);
      case 4 -> randomJob(random);
      default -> new SchemaRecord(version(random));
    };
  }

  private static EntityRecord randomEntity(Random random) {
    List<String> ancestors = new ArrayList<>();
    int depth = random.nextInt(EntityRecord.MAX_ANCESTORS + 1);
    for (int i = 0; i < depth; i++) {
      ancestors.add(oneOf(random, IDS));
    }
    return new EntityRecord(
        new RecordKey.Entity(oneOf(random, NAMESPACES), oneOf(random, IDS)),
        version(random),
        oneOf(random, TEXTS),
        ancestors.isEmpty() ? null : ancestors.get(0),
        ancestors,
        random.nextBoolean(),
        random.nextBoolean(),
        texts(random),
        random.nextLong(),
        random.nextInt(1_000));
  }

  private static ConfigRecord randomConfig(Random random) {
    return new ConfigRecord(
        randomConfigKey(random),
        version(random),
        random.nextInt(3) == 0 ? null : randomLimits(random),
        random.nextBoolean() ? null : (Boolean) random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean()
            ? null
            : random.nextBoolean() ? OnUnavailable.ALLOW : OnUnavailable.BLOCK,
        random.nextBoolean() ? null : (Integer) random.nextInt(Integer.MAX_VALUE));
  }

  private static RecordKey.Config randomConfigKey(Random random) {
    String namespace = oneOf(random, NAMESPACES);
    ConfigLevel level = List.of(ConfigLevel.values()).get(1 + random.nextInt(4));
    return switch (level) {
      case ENTITY_RESOURCE ->
          RecordKey.Config.ofEntityResource(
              namespace, oneOf(random, IDS), oneOf(random, RESOURCES));
      case ENTITY -> RecordKey.Config.ofEntity(namespace, oneOf(random, IDS));
      case RESOURCE -> RecordKey.Config.ofResource(namespace, oneOf(random, RESOURCES));
      case SYSTEM, CALL -> RecordKey.Config.ofSystem(namespace);
    };
  }

  private static LimitSet randomLimits(Random random) {
    List<Limit> limits = new ArrayList<>();
    for (String name : List.of("A.b-c_d", "a", "a_cp", "l_a", "tk", "sf", "z")) {
      if (random.nextBoolean() || name.equals("z")) {
        long capacityMilli = 1L + random.nextInt(Integer.MAX_VALUE);
        limits.add(
            new Limit(
                name,
                capacityMilli,
                random.nextBoolean() ? capacityMilli : capacityMilli + random.nextInt(1_000_000),
                random.nextBoolean()
                    ? Refill.of(capacityMilli, 60_000)
                    : Refill.of(1 + random.nextInt(1_000_000), 1 + random.nextInt(86_400_000)),
                random.nextInt(4) == 0));
      }
    }
    return LimitSet.of(limits);
  }

  private static NamespaceRecord randomNamespace(Random random) {
    String name = oneOf(random, NAMESPACES);
    String id = oneOf(random, NAMESPACES);
    return new NamespaceRecord(
        random.nextBoolean()
            ? new RecordKey.NamespaceByName(name)
            : new RecordKey.NamespaceById(id),
        version(random),
        name,
        id,
        List.of(NamespaceRecord.State.values()).get(random.nextInt(3)),
        random.nextLong());
  }

  private static AuditEvent randomAudit(Random random) {
    return new AuditEvent(
        new RecordKey.Audit(
            random.nextInt(4) == 0 ? "_" : oneOf(random, NAMESPACES),
            oneOf(random, List.of("x", "x:y", "a#b", "entity/x", "Zoë 😀", "_default_")),
            "01HX" + random.nextInt(1_000_000)),
        random.nextLong(),
        oneOf(random, TEXTS),
        oneOf(random, TEXTS),
        texts(random),
        texts(random),
        random.nextBoolean() ? 0 : 1L + random.nextInt(Integer.MAX_VALUE));
  }

  private static JobRecord randomJob(Random random) {
    return new JobRecord(
        new RecordKey.Job(
            random.nextInt(4) == 0 ? "_" : oneOf(random, NAMESPACES),
            "01HX" + random.nextInt(1_000_000)),
        version(random),
        oneOf(random, TEXTS),
        texts(random),
        random.nextBoolean() ? null : oneOf(random, TEXTS),
        random.nextLong(),
        random.nextLong(),
        random.nextBoolean(),
        random.nextLong(),
        random.nextLong(),
        random.nextBoolean() ? 0 : 1L + random.nextInt(Integer.MAX_VALUE));
  }

  private static long version(Random random) {
    return random.nextBoolean() ? 1 + random.nextInt(9) : 1 + (random.nextLong() >>> 2);
  }

  private static Map<String, String> texts(Random random) {
    Map<String, String> texts = new HashMap<>();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      texts.put("k" + oneOf(random, TEXTS), oneOf(random, TEXTS));
    }
    return texts;
  }

  private static <T> T oneOf(Random random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
