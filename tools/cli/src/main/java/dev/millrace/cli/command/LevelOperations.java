package dev.millrace.cli.command;

import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.table.Session;
import java.util.List;

/** Reads and changes the limits of one level, for the commands of each level. */
final class LevelOperations {
  private LevelOperations() {}

  static int get(Session session, LimitTarget target) {
    String missing =
        "nothing is stored for %s: 'millrace limits set' stores limits".formatted(name(target));
    StoredLimits stored =
        session.namespace().limits().get(target).orElseThrow(CommandFailure.notFound(missing));
    return session.print(AdminJson.of(stored), () -> Texts.table(List.of(stored)));
  }

  static int set(
      Session session, LimitTarget target, List<String> limits, boolean allowOtherPeriod) {
    SetOptions options = new SetOptions(allowOtherPeriod, session.output().watching());
    return print(
        session, target, session.namespace().limits().set(target, Texts.parse(limits), options));
  }

  static int delete(Session session, LimitTarget target) {
    return print(
        session, target, session.namespace().limits().delete(target, session.output().watching()));
  }

  static int print(Session session, LimitTarget target, ChangeResult result) {
    return session.print(AdminJson.of(result), name(target) + ": " + Texts.change(result));
  }

  /** {@code entity+resource key-42 gpt-4}. */
  static String name(LimitTarget target) {
    return (target.level().label() + " " + target.entityId() + " " + target.resource())
        .replaceAll(" +", " ")
        .strip();
  }
}
