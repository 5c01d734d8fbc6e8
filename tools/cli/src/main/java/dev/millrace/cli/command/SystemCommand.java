package dev.millrace.cli.command;

import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.JobView;
import dev.millrace.admin.LimitAdmin;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.JsonText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Limits and settings of a whole namespace. */
@Command(
    name = "system",
    description = "Limits and settings of the whole namespace.",
    footer = {
      "",
      "Examples:",
      "  millrace system set rpm:1000",
      "  millrace system set --on-unavailable block --audit-days 365"
    })
public final class SystemCommand extends CommandGroup {
  /** The answer of limiters while the store is unavailable. */
  enum UnavailableAnswer {
    BLOCK(OnUnavailable.BLOCK),
    ALLOW(OnUnavailable.ALLOW),
    INHERIT(null);

    final @Nullable OnUnavailable value;

    UnavailableAnswer(@Nullable OnUnavailable value) {
      this.value = value;
    }
  }

  @Command(name = "get", description = "Shows the limits and settings of the namespace.")
  int get(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          LimitAdmin admin = session.namespace().limits();
          LimitSet limits = admin.get(LimitTarget.system()).map(StoredLimits::limits).orElse(null);
          OnUnavailable unavailable = admin.settings().onUnavailable();
          String answer = unavailable == null ? null : unavailable.name().toLowerCase(Locale.ROOT);
          Integer days = admin.settings().auditRetentionDays();
          return session.print(
              JsonText.object(
                  "limits", AdminJson.of(limits),
                  "onUnavailable", answer,
                  "auditRetentionDays", days),
              () ->
                  List.of(
                      "limits          " + Texts.limits(limits),
                      "on unavailable  " + (answer == null ? "as each limiter says" : answer),
                      "audit days      " + (days == null ? "90, the default" : days)));
        });
  }

  @Command(
      name = "set",
      description = {
        "Sets what is named; what is not named stays.",
        "To bring all buckets to new limits reads all of the table."
      })
  int set(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "LIMIT", arity = "0..*") @Nullable List<String> limits,
      @Option(
              names = "--on-unavailable",
              paramLabel = "block|allow|inherit",
              description = "What limiters answer when the store is away; inherit: as each says.")
          @Nullable UnavailableAnswer answer,
      @Option(
              names = "--audit-days",
              paramLabel = "N",
              description = "How long audit events are kept; 0 for the default.")
          @Nullable Integer auditDays) {
    if (limits == null && answer == null && auditDays == null) {
      throw wrongUsage("nothing to set: name limits, --on-unavailable or --audit-days");
    }
    return connection.run(
        session -> {
          LimitAdmin admin = session.namespace().limits();
          LimitSet parsed = limits == null ? null : Texts.parse(limits);
          boolean changed = false;
          JobView buckets = null;
          if (auditDays != null) {
            changed = admin.setAuditRetentionDays(auditDays == 0 ? null : auditDays).changed();
          }
          if (answer != null) {
            changed |= admin.setOnUnavailable(answer.value).changed();
          }
          if (parsed != null) {
            SetOptions options = SetOptions.DEFAULT.reportingTo(session.output().watching());
            ChangeResult result = admin.set(LimitTarget.system(), parsed, options);
            changed |= result.changed();
            buckets = result.buckets();
          }
          return LevelOperations.print(
              session, LimitTarget.system(), new ChangeResult(changed, buckets));
        });
  }

  @Command(name = "delete", description = "Deletes the limits of the namespace; its settings stay.")
  int delete(@Mixin ConnectionOptions connection, @Mixin YesOption yes) {
    yes.orAsk("Delete the limits of the whole namespace?");
    return connection.run(session -> LevelOperations.delete(session, LimitTarget.system()));
  }
}
