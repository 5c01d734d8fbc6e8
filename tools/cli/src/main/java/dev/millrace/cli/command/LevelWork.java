package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.Session;
import java.util.List;

/** What can be done with the limits of a level, whichever command asks for it. */
final class LevelWork {
  private LevelWork() {}

  static int get(Session session, LimitTarget target) {
    StoredLimits stored =
        session
            .namespace()
            .limits()
            .get(target)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCodes.NOT_FOUND,
                        "nothing is stored for %s: 'millrace limits set' stores limits"
                            .formatted(TargetOptions.name(target))));
    session.output().one(AdminJson.of(stored), () -> LevelTable.of(List.of(stored)));
    return ExitCodes.DONE;
  }

  static int set(
      Session session, LimitTarget target, List<String> limits, boolean allowOtherPeriod) {
    SetOptions options = new SetOptions(allowOtherPeriod, session.output().watching());
    ChangeResult result = session.namespace().limits().set(target, Texts.parse(limits), options);
    return told(session, target, result);
  }

  static int delete(Session session, LimitTarget target) {
    return told(
        session, target, session.namespace().limits().delete(target, session.output().watching()));
  }

  static int told(Session session, LimitTarget target, ChangeResult result) {
    session
        .output()
        .one(AdminJson.of(result), TargetOptions.name(target) + ": " + Texts.change(result));
    return ExitCodes.DONE;
  }
}
