package dev.millrace.cli.command;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people type and read. */
final class Texts {
  private Texts() {}

  /** {@code rpm:100/min tpm:10000/min}, or a dash. */
  static String limits(@Nullable LimitSet limits) {
    return limits == null
        ? "–"
        : limits.asList().stream().map(Limit::toString).collect(Collectors.joining(" "));
  }

  /** The limits that were typed. */
  static LimitSet parse(List<String> texts) {
    List<Limit> limits = new ArrayList<>(texts.size());
    texts.forEach(text -> limits.add(LimitNotation.parse(text)));
    return LimitSet.of(limits);
  }

  /** {@code changed; 3 of 5 buckets follow it now}. */
  static String change(ChangeResult result) {
    JobResult buckets = result.buckets();
    String done = result.changed() ? "changed" : "was so already";
    return buckets == null || buckets.examined() == 0 ? done : done + "; " + job(buckets);
  }

  /** {@code 5 looked at, 3 changed}. */
  static String job(JobResult job) {
    String text =
        String.format(Locale.ROOT, "%,d looked at, %,d changed", job.examined(), job.changed());
    return job.isDone() ? text : text + "; another process goes on with it";
  }

  static String yesNo(boolean value) {
    return value ? "yes" : "no";
  }
}
