package dev.millrace.testkit.internal.generator;

import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random records beside the buckets, and changes of them. */
public final class RecordGen {
  /** Ids that come up again and again, and begin like each other. */
  private static final List<String> IDS = List.of("a", "a.b", "a-b", "b", "team:1", "x@y");

  private static final List<String> RESOURCES = List.of("gpt-4", "gpt-4.1", "gpt-4/mini", "g");

  /** Texts that are easily mistaken for something else. */
  private static final List<String> TEXTS =
      List.of("", " ", "a", "#", "a#b/c", "$ENTITY:a", "tab\tand\nline", "äöü €", "🚦", "null");

  private static final int MAX_ENTRIES = 4;
  private static final long MAX_COUNT = 1L << 50;

  /** The year 2096: nothing expires while a test looks at it. */
  private static final long LATE_SECONDS = 4_000_000_000L;

  private RecordGen() {}

  /** The id of an entity, one of a few or any. */
  public static String entityId(RandomGenerator random) {
    return Gen.oneIn(random, 8) ? Gen.entityId(random) : Gen.oneOf(random, IDS);
  }

  /** The name of a resource, one of a few or any. */
  public static String resource(RandomGenerator random) {
    return Gen.oneIn(random, 8) ? Gen.resource(random) : Gen.oneOf(random, RESOURCES);
  }

  /**
   * A key of whatever kind within a namespace; that of a namespace begins with {@code namespace}.
   * The schema's key is not among them: there is only one.
   */
  public static RecordKey key(RandomGenerator random, String namespace) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> new RecordKey.Entity(namespace, entityId(random));
      case 2, 3, 4 -> configKey(random, namespace);
      case 5 -> new RecordKey.Audit(namespace, subject(random), "01HZ" + random.nextInt(100));
      case 6 -> new RecordKey.Job(namespace, "01HZ" + random.nextInt(100));
      default ->
          random.nextBoolean()
              ? new RecordKey.NamespaceByName(namespace + random.nextInt(4))
              : new RecordKey.NamespaceById(namespace + random.nextInt(4));
    };
  }

  /** A key of a config of one of the four levels. */
  public static RecordKey.Config configKey(RandomGenerator random, String namespace) {
    return switch (random.nextInt(4)) {
      case 0 -> RecordKey.Config.ofEntityResource(namespace, entityId(random), resource(random));
      case 1 -> RecordKey.Config.ofEntity(namespace, entityId(random));
      case 2 -> RecordKey.Config.ofResource(namespace, resource(random));
      default -> RecordKey.Config.ofSystem(namespace);
    };
  }

  /** A record as it may be found under {@code key}. An audit event is always of version 1. */
  public static StoredRecord record(RandomGenerator random, RecordKey key, long version) {
    if (key instanceof RecordKey.Entity entity) {
      return entity(random, entity, version);
    }
    if (key instanceof RecordKey.Config config) {
      return config(random, config, version);
    }
    if (key instanceof RecordKey.Audit audit) {
      return new AuditEvent(
          audit,
          Gen.timeMs(random),
          text(random),
          text(random),
          texts(random),
          texts(random),
          expiresAtSeconds(random));
    }
    if (key instanceof RecordKey.Job job) {
      return job(random, job, version);
    }
    if (key instanceof RecordKey.NamespaceByName named) {
      return namespace(random, named, version, named.name(), Gen.namespace(random));
    }
    if (key instanceof RecordKey.NamespaceById known) {
      return namespace(random, known, version, Gen.namespace(random), known.id());
    }
    return new SchemaRecord(version);
  }

  private static EntityRecord entity(RandomGenerator random, RecordKey.Entity key, long version) {
    List<String> ancestors = new ArrayList<>();
    for (int i = random.nextInt(EntityRecord.MAX_ANCESTORS + 1); i > 0; i--) {
      ancestors.add(entityId(random));
    }
    return new EntityRecord(
        key,
        version,
        text(random),
        random.nextBoolean() ? null : entityId(random),
        ancestors,
        random.nextBoolean(),
        Gen.oneIn(random, 4),
        texts(random),
        Gen.timeMs(random),
        Gen.oneIn(random, 4) ? random.nextInt(9) : 0);
  }

  private static ConfigRecord config(RandomGenerator random, RecordKey.Config key, long version) {
    boolean ofSystem = key.level() == ConfigLevel.SYSTEM;
    return new ConfigRecord(
        key,
        version,
        Gen.oneIn(random, 3) ? null : Gen.limitSetWithSoft(random),
        (key.resource().isEmpty() || Gen.oneIn(random, 2)) ? null : random.nextBoolean(),
        key.level() == ConfigLevel.RESOURCE && Gen.oneIn(random, 3),
        ofSystem && random.nextBoolean()
            ? Gen.oneOf(random, List.of(OnUnavailable.values()))
            : null,
        ofSystem && random.nextBoolean() ? 1 + random.nextInt(3_650) : null,
        Gen.oneIn(random, 2) ? null : regions(random),
        key.level() == ConfigLevel.ENTITY && random.nextBoolean() ? 1 + random.nextInt(999) : 0);
  }

  private static RegionsPart regions(RandomGenerator random) {
    return new RegionsPart(
        Gen.oneIn(random, 3) ? null : Gen.limitSetWithSoft(random),
        Gen.oneIn(random, 3) ? null : Gen.limitSetWithSoft(random),
        new TreeMap<>(texts(random)));
  }

  private static JobRecord job(RandomGenerator random, RecordKey.Job key, long version) {
    return new JobRecord(
        key,
        version,
        "a" + text(random),
        texts(random),
        random.nextBoolean() ? null : "c" + text(random),
        Gen.magnitude(random, 0, MAX_COUNT),
        Gen.magnitude(random, 0, MAX_COUNT),
        random.nextBoolean(),
        Gen.timeMs(random),
        Gen.timeMs(random),
        expiresAtSeconds(random));
  }

  private static NamespaceRecord namespace(
      RandomGenerator random, RecordKey key, long version, String name, String id) {
    return new NamespaceRecord(
        key,
        version,
        name,
        id,
        Gen.oneOf(random, List.of(NamespaceRecord.State.values())),
        Gen.timeMs(random));
  }

  /**
   * A change of a record that is {@code current}: mostly one that it accepts.
   *
   * @param current the record under {@code key}, null when there is none
   */
  public static RecordChange change(
      RandomGenerator random, RecordKey key, @Nullable StoredRecord current) {
    long version = current == null ? RecordChange.Put.ABSENT : current.version();
    long expected = Gen.oneIn(random, 6) ? Math.max(0, version - 1 + random.nextInt(3)) : version;
    int kind = random.nextInt(6);
    if (kind == 0 && expected > 0) {
      return new RecordChange.Delete(key, expected);
    }
    if (kind == 1 && expected > 0) {
      return new RecordChange.Check(key, expected);
    }
    boolean counts = current != null || Gen.oneIn(random, 4);
    if (kind <= 3 && counts && key instanceof RecordKey.Entity entity) {
      long children = current instanceof EntityRecord stored ? stored.children() : 0;
      long delta = Gen.oneIn(random, 4) ? -children - random.nextInt(2) : 1;
      return Gen.oneIn(random, 2)
          ? new RecordChange.AddChildren(entity, delta)
          : new RecordChange.AddChildren(entity, delta, expected);
    }
    // An event is written once, so it can only be put where there is none.
    return key instanceof RecordKey.Audit
        ? new RecordChange.Put(record(random, key, 1), RecordChange.Put.ABSENT)
        : new RecordChange.Put(record(random, key, expected + 1), expected);
  }

  /** Some text, often one that is easily mistaken. */
  public static String text(RandomGenerator random) {
    return Gen.oneOf(random, TEXTS) + (random.nextBoolean() ? "" : Gen.oneOf(random, TEXTS));
  }

  /** What an audit event may be about. */
  public static String subject(RandomGenerator random) {
    return "s" + text(random).replaceAll("\\p{Cntrl}", "");
  }

  /** Some texts by name. */
  public static Map<String, String> texts(RandomGenerator random) {
    Map<String, String> texts = new HashMap<>();
    for (int i = random.nextInt(MAX_ENTRIES); i > 0; i--) {
      texts.put("k" + text(random), text(random));
    }
    return texts;
  }

  private static long expiresAtSeconds(RandomGenerator random) {
    return random.nextBoolean() ? 0 : LATE_SECONDS + random.nextInt(1_000);
  }
}
