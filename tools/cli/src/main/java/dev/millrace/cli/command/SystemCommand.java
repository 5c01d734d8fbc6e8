package dev.millrace.cli.command;

import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.AdminJson;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitAdmin;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.SystemSettings;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What holds for a whole namespace. */
@Command(
    name = "system",
    description = "Limits and settings of the whole namespace.",
    footer = {
      "",
      "Examples:",
      "  millrace system set rpm:1000",
      "  millrace system set --on-unavailable block --audit-days 365"
    })
public final class SystemCommand extends Group {
  /** What limiters answer when the store is away. */
  enum Away {
    BLOCK(OnUnavailable.BLOCK),
    ALLOW(OnUnavailable.ALLOW),
    INHERIT(null);

    final @Nullable OnUnavailable value;

    Away(@Nullable OnUnavailable value) {
      this.value = value;
    }
  }

  @Command(
      name = "get",
      mixinStandardHelpOptions = true,
      description = "Shows the limits and settings of the namespace.")
  int get(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          LimitAdmin admin = session.namespace().limits();
          LimitSet limits = admin.get(LimitTarget.system()).map(StoredLimits::limits).orElse(null);
          SystemSettings settings = admin.settings();
          OnUnavailable away = settings.onUnavailable();
          String answer = away == null ? null : away.name().toLowerCase(Locale.ROOT);
          Map<String, @Nullable Object> json = new LinkedHashMap<>();
          json.put("limits", AdminJson.of(limits));
          json.put("onUnavailable", answer);
          json.put("auditRetentionDays", settings.auditRetentionDays());
          Integer days = settings.auditRetentionDays();
          session
              .output()
              .one(
                  json,
                  () ->
                      List.of(
                          "limits          " + Texts.limits(limits),
                          "on unavailable  " + (answer == null ? "as each limiter says" : answer),
                          "audit days      " + (days == null ? "90, the default" : days)));
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
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
          @Nullable Away away,
      @Option(
              names = "--audit-days",
              paramLabel = "N",
              description = "How long audit events are kept; 0 for the default.")
          @Nullable Integer auditDays) {
    if (limits == null && away == null && auditDays == null) {
      throw new ParameterException(
          spec().commandLine(), "nothing to set: name limits, --on-unavailable or --audit-days");
    }
    LimitSet parsed = limits == null ? null : parsed(limits);
    return connection.run(session -> set(session, parsed, away, auditDays));
  }

  private LimitSet parsed(List<String> limits) {
    try {
      return Texts.parse(limits);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static int set(
      Session session,
      @Nullable LimitSet limits,
      @Nullable Away away,
      @Nullable Integer auditDays) {
    LimitAdmin admin = session.namespace().limits();
    ChangeResult result = new ChangeResult(false, null);
    if (auditDays != null) {
      result = both(result, admin.setAuditRetentionDays(auditDays == 0 ? null : auditDays));
    }
    if (away != null) {
      result = both(result, admin.setOnUnavailable(away.value));
    }
    if (limits != null) {
      SetOptions options = SetOptions.DEFAULT.reportingTo(session.output().watching());
      result = both(result, admin.set(LimitTarget.system(), limits, options));
    }
    return LevelWork.told(session, LimitTarget.system(), result);
  }

  private static ChangeResult both(ChangeResult first, ChangeResult second) {
    return new ChangeResult(
        first.changed() || second.changed(),
        second.buckets() == null ? first.buckets() : second.buckets());
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes the limits of the namespace; its settings stay.")
  int delete(@Mixin ConnectionOptions connection, @Mixin YesOption yes) {
    yes.orAsk("Delete the limits of the whole namespace?");
    return connection.run(session -> LevelWork.delete(session, LimitTarget.system()));
  }
}
