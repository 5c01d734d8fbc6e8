package dev.millrace.cli.command;

import dev.millrace.admin.JobAdmin;
import dev.millrace.admin.JobView;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.text.ColumnTable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists and resumes long work that is not done. */
@Command(
    name = "jobs",
    description = "Lists and resumes long work, such as bringing buckets to changed limits.")
public final class JobsCommand extends CommandGroup {
  @Command(name = "list", description = "Lists what is not done yet, the oldest first.")
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
    ColumnTable table =
        ColumnTable.withNumbersIn(2, 3).row("JOB", "KIND", "LOOKED AT", "CHANGED", "LAST HEARD OF");
    for (JobView job : jobs) {
      table.row(job.id(), job.kind(), job.examined(), job.changed(), job.updatedAt());
    }
    return table.lines();
  }

  @Command(name = "resume", description = "Goes on with one job, or with all that are not done.")
  int resume(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "JOB", arity = "0..1") @Nullable String job) {
    return connection.run(
        session -> {
          ProgressListener progress = session.output().watching();
          JobAdmin jobs = session.namespace().jobs();
          List<JobView> results =
              job == null ? jobs.resumeAll(progress) : List.of(jobs.resume(job, progress));
          return session
              .output()
              .list(
                  results.stream().map(AdminJson::progress).toList(),
                  () -> results.stream().map(each -> each.id() + ": " + Texts.job(each)).toList(),
                  "Nothing was left undone.",
                  null);
        });
  }
}
