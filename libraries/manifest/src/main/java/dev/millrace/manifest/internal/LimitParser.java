package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parser of limits, each in the short notation or field by field. The rate is the refill and
 * nothing else changes it: a burst only sets the ceiling of the balance.
 */
final class LimitParser {
  /** The fields of a limit. */
  static final Set<String> FIELDS =
      Set.of("name", "rate", "per", "capacity", "burst", "soft", "scope");

  private static final Pattern PERIOD = Pattern.compile("([0-9]{0,9})(ms|sec|min|hour|day)");
  private static final int DECIMALS = 3;
  private static final String GLOBAL = "global";
  private static final String REGION = "region";

  /**
   * Parsed limits.
   *
   * @param own those of this region alone, null when there are none
   * @param global those that all regions share, null when there are none
   */
  record Limits(@Nullable LimitSet own, @Nullable LimitSet global) {
    static final Limits NONE = new Limits(null, null);
  }

  private final YamlValues values;

  LimitParser(YamlValues values) {
    this.values = values;
  }

  /** The limits of a level, none when the field is missing. */
  Limits limits(@Nullable YamlNode node, String path, boolean canBeGlobal) {
    if (node == null) {
      return Limits.NONE;
    }
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      values.problem(node, path, "must be a list of at least one limit, such as [rpm:100/min]");
      return Limits.NONE;
    }
    List<Limit> own = new ArrayList<>();
    List<Limit> global = new ArrayList<>();
    List<YamlNode> items = sequence.items();
    for (int i = 0; i < items.size(); i++) {
      read(items.get(i), path + "[" + i + "]", canBeGlobal, own, global);
    }
    List<Limit> all = new ArrayList<>(own);
    all.addAll(global);
    if (all.isEmpty() || values.checked(node, path, () -> LimitSet.of(all)) == null) {
      return Limits.NONE;
    }
    return new Limits(
        own.isEmpty() ? null : LimitSet.of(own), global.isEmpty() ? null : LimitSet.of(global));
  }

  private void read(
      YamlNode node, String path, boolean canBeGlobal, List<Limit> own, List<Limit> global) {
    if (node instanceof YamlNode.Scalar scalar) {
      Limit limit = values.checked(node, path, () -> LimitNotation.parse(scalar.text()));
      if (limit != null) {
        own.add(limit);
      }
      return;
    }
    Map<String, YamlNode> fields = values.fields(node, path, FIELDS);
    Limit limit = limit(node, path, fields);
    YamlNode scope = fields.get("scope");
    String where = values.text(scope, path + ".scope");
    if (scope != null && !GLOBAL.equals(where) && !REGION.equals(where)) {
      values.problem(scope, path + ".scope", "must be global or region");
    }
    boolean shared = GLOBAL.equals(where);
    if (shared && !canBeGlobal && scope != null) {
      values.problem(
          scope, path + ".scope", "only limits of a resource, or of one entity's, can be global");
    }
    if (limit != null) {
      (shared ? global : own).add(limit);
    }
  }

  private @Nullable Limit limit(YamlNode node, String path, Map<String, YamlNode> fields) {
    YamlNode nameNode = fields.get("name");
    YamlNode rateNode = fields.get("rate");
    if (nameNode == null || rateNode == null) {
      values.problem(node, path, "must have a name and a rate");
      return null;
    }
    String name = values.text(nameNode, path + ".name");
    Long rate = milli(rateNode, path + ".rate");
    Long burst = milli(fields.get("burst"), path + ".burst");
    Long capacity = milli(fields.get("capacity"), path + ".capacity");
    Duration period = period(fields.get("per"), path + ".per");
    Boolean soft = values.flag(fields.get("soft"), path + ".soft");
    if (name == null || rate == null || period == null) {
      return null;
    }
    // A burst below the rate is a limit that must be spent evenly: its capacity is the burst.
    long ceiling = burst == null ? Math.max(rate, capacity == null ? rate : capacity) : burst;
    if (burst == null && capacity != null) {
      ceiling = capacity;
    }
    long quota = capacity == null ? Math.min(rate, ceiling) : capacity;
    long most = ceiling;
    return values.checked(
        node,
        path,
        () ->
            new Limit(
                name, quota, most, Refill.of(rate, period.toMillis()), Boolean.TRUE.equals(soft)));
  }

  private @Nullable Long milli(@Nullable YamlNode node, String path) {
    BigDecimal number = values.number(node, path, DECIMALS);
    return number == null ? null : number.movePointRight(DECIMALS).longValueExact();
  }

  private @Nullable Duration period(@Nullable YamlNode node, String path) {
    if (node == null) {
      return Duration.ofMinutes(1);
    }
    String text = values.text(node, path);
    Matcher matcher = PERIOD.matcher(text == null ? "" : text);
    if (!matcher.matches()) {
      values.problem(node, path, "must be [N]ms, [N]sec, [N]min, [N]hour or [N]day");
      return null;
    }
    long count = matcher.group(1).isEmpty() ? 1 : Long.parseLong(matcher.group(1));
    Duration unit =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(1);
          case "sec" -> Duration.ofSeconds(1);
          case "min" -> Duration.ofMinutes(1);
          case "hour" -> Duration.ofHours(1);
          default -> Duration.ofDays(1);
        };
    return unit.multipliedBy(count);
  }
}
