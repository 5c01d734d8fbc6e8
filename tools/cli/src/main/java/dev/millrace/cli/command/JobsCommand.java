package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.JobResult;
import dev.millrace.admin.JobView;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.text.TextTable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Long work that was begun. */
@Command(
    name = "jobs",
    description = "Lists and resumes long work, such as bringing buckets to changed limits.")
public final class JobsCommand extends Group {
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists what is not done yet, the oldest first.")
  int list(@Mixin ConnectionOptions connection, @Mixin PageOptions page) {
    return connection.run(
        session ->
            page.print(
                session,
                session.namespace().jobs()::unfinished,
                AdminJson::of,
                JobsCommand::table,
                "Nothing is left undone."));
  }

  private static List<String> table(List<JobView> jobs) {
    TextTable table =
        TextTable.ofTexts(2, 3).row("JOB", "KIND", "LOOKED AT", "CHANGED", "LAST HEARD OF");
    for (JobView job : jobs) {
      table.row(
          job.id(),
          job.kind(),
          String.valueOf(job.examined()),
          String.valueOf(job.changed()),
          job.updatedAt().toString());
    }
    return table.lines();
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Goes on with one job, or with all that are not done.")
  int resume(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "JOB", arity = "0..1") @Nullable String job) {
    return connection.run(
        session -> {
          List<JobResult> results =
              job == null
                  ? session.namespace().jobs().resumeAll(session.output().watching())
                  : List.of(session.namespace().jobs().resume(job, session.output().watching()));
          session
              .output()
              .list(
                  results.stream().map(AdminJson::of).toList(),
                  () ->
                      results.stream().map(each -> each.jobId() + ": " + Texts.job(each)).toList(),
                  "Nothing was left undone.",
                  null);
          return ExitCodes.DONE;
        });
  }
}
